import { newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnyStay, anyStay } from './arbitrary-stay.ts'
import { minorUnitOf } from './micro.ts'
import { priceStay } from './price-stay.ts'
import { quoteDigest } from './quote-digest.ts'

function digest({ card, plan, rooms, stayRequest }: AnyStay): string {
  return quoteDigest(
    card,
    { plan, rooms, bill: priceStay(card, { plan, rooms }, stayRequest) },
    stayRequest,
  )
}

/** Each changes the items, or their price. */
const CHANGES: Readonly<Record<string, (stay: AnyStay) => AnyStay>> = {
  arrival: (stay) => ({
    ...stay,
    stayRequest: {
      ...stay.stayRequest,
      arrival: stay.stayRequest.arrival + 1,
      today: stay.stayRequest.today + 1,
    },
  }),
  nights: (stay) => ({
    ...stay,
    stayRequest: { ...stay.stayRequest, nights: stay.stayRequest.nights + 1 },
  }),
  adults: (stay) => {
    const { party } = stay.stayRequest
    return {
      ...stay,
      stayRequest: { ...stay.stayRequest, party: { ...party, adults: party.adults + 1 } },
    }
  },
  children: (stay) => {
    const { adults, childAges } = stay.stayRequest.party
    return {
      ...stay,
      stayRequest: { ...stay.stayRequest, party: { adults, childAges: [0, ...childAges] } },
    }
  },
  rooms: (stay) => ({
    ...stay,
    rooms: stay.rooms.map((count) => ({ ...count, quantity: count.quantity + 1 })),
  }),
  price: (stay) => ({
    ...stay,
    plan: {
      ...stay.plan,
      nightly: new Map(
        // More than rounding hides after the reductions of season, weekday and plan.
        [...stay.plan.nightly].map(([room, micro]) => [
          room,
          micro + 100n * minorUnitOf(stay.card.currency),
        ]),
      ),
    },
  }),
  plan: (stay) => ({ ...stay, plan: { ...stay.plan, ratePlanId: newId('rate') } }),
  terms: (stay) => ({
    ...stay,
    plan: { ...stay.plan, cancellation: { ...stay.plan.cancellation, freeUntilHours: 25 } },
  }),
  tenant: (stay) => ({ ...stay, card: { ...stay.card, tenantId: newId('tnt') } }),
  property: (stay) => ({ ...stay, card: { ...stay.card, propertyId: newId('ppt') } }),
}

describe('the digest', () => {
  it('is deterministic', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        expect(digest(stay)).toMatch(/^sha256:[0-9a-f]{64}$/)
        expect(digest(structuredCloneOf(stay))).toBe(digest(stay))
      }),
    )
  })

  it.each(Object.keys(CHANGES))('differs for another %s', (name) => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const change = CHANGES[name]
        expect(change && digest(change(stay))).not.toBe(digest(stay))
      }),
    )
  })

  it('does not distinguish plan versions with equal prices and terms', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const republished = { ...stay, plan: { ...stay.plan, version: stay.plan.version + 1 } }
        expect(digest(republished)).toBe(digest(stay))
      }),
    )
  })
})

function structuredCloneOf(stay: AnyStay): AnyStay {
  const { card, stayRequest } = stay
  return {
    ...stay,
    card: { ...card },
    stayRequest: { ...stayRequest, party: structuredClone(stayRequest.party) },
  }
}
