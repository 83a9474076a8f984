import { microToMinor } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnyStay, anyStay } from './arbitrary-stay.ts'
import { compileRules } from './compile-rules.ts'
import { minorUnitOf } from './micro.ts'
import { priceStay } from './price-stay.ts'
import { quoteDigest } from './quote-digest.ts'
import type { RuleSet } from './rule-set.ts'
import { roomCounts, type StayRequest } from './stay-request.ts'

const price = ({ card, plan, rooms, stayRequest }: AnyStay) =>
  priceStay(card, { plan, rooms }, stayRequest)

function withRules(stay: AnyStay, rules: Partial<RuleSet>): AnyStay {
  const changed = { ...stay.rules, ...rules }
  return { ...stay, rules: changed, card: { ...stay.card, rules: compileRules(changed) } }
}

function withoutPromotion(stayRequest: StayRequest): StayRequest {
  const { promotion: _, ...rest } = stayRequest
  return rest
}

describe('the price of any stay, in every currency', () => {
  it('is exactly the sum of its lines that are not included', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const bill = price(stay)
        let minor = 0n
        for (const { amount, included } of bill.lines) {
          if (!included) minor += amount / minorUnitOf(stay.card.currency)
        }
        expect(minor * minorUnitOf(stay.card.currency)).toBe(bill.total)
      }),
    )
  })

  it('has whole minor units in every line, so that converting it is exact (D7)', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const { currency } = stay.card
        const bill = price(stay)
        for (const { amount } of bill.lines) {
          expect(amount % minorUnitOf(currency)).toBe(0n)
          expect(Number.isSafeInteger(microToMinor(amount, currency).amountMinor)).toBe(true)
        }
        expect(BigInt(microToMinor(bill.total, currency).amountMinor)).toBe(
          bill.total / minorUnitOf(currency),
        )
      }),
    )
  })

  it('is never negative, per night or in total, for any discount', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const bill = price(stay)
        expect(bill.total).toBeGreaterThanOrEqual(0n)
        for (const { kind, amount } of bill.lines) {
          const takesOff = kind === 'discount' || kind === 'promotion'
          expect(takesOff ? -amount : amount).toBeGreaterThanOrEqual(0n)
        }
      }),
    )
  })

  it('does not depend on the included taxes', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const added = stay.rules.taxes.filter((tax) => tax.kind !== 'percent' || !tax.isIncluded)
        expect(price(withRules(stay, { taxes: added })).total).toBe(price(stay).total)
      }),
    )
  })

  it('increases with every night without discounts', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const plain = { ...stay, plan: { ...stay.plan, lengthOfStay: [] } }
        const stayRequest = withoutPromotion(stay.stayRequest)
        const longer = { ...stayRequest, nights: stayRequest.nights + 1 }
        expect(price({ ...plain, stayRequest: longer }).total).toBeGreaterThanOrEqual(
          price({ ...plain, stayRequest }).total,
        )
      }),
    )
  })

  it('does not depend on the order or grouping of the rooms', () => {
    fc.assert(
      fc.property(anyStay, fc.infiniteStream(fc.nat(100)), (stay, dice) => {
        const { card, plan, stayRequest } = stay
        const single = stay.rooms.flatMap(({ room, quantity }) =>
          Array.from({ length: quantity }, () => ({ roomTypeId: room.roomTypeId, quantity: 1 })),
        )
        const shuffled = single
          .map((room) => ({ room, die: dice.next().value ?? 0 }))
          .toSorted((a, b) => a.die - b.die)
          .map(({ room }) => room)
        const rooms = roomCounts(card, shuffled) ?? []
        const bill = priceStay(card, { plan, rooms }, stayRequest)
        const straight = price(stay)
        expect(bill).toEqual(straight)
        expect(quoteDigest(card, { plan, rooms, bill }, stayRequest)).toBe(
          quoteDigest(card, { plan, rooms: stay.rooms, bill: straight }, stayRequest),
        )
      }),
    )
  })

  it('is exact for the largest amounts', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const bare = withRules(stay, {
          seasons: [],
          weekdays: [],
          fees: [],
          taxes: [],
          extras: { adultMicro: '0', children: [] },
        })
        const stayRequest = withoutPromotion(stay.stayRequest)
        const plan = { ...stay.plan, lengthOfStay: [], lastMinute: null }
        const step = minorUnitOf(stay.card.currency)
        const dearer = new Map([...plan.nightly].map(([room, micro]) => [room, micro + step]))
        const roomNights =
          stay.rooms.reduce((sum, { quantity }) => sum + quantity, 0) * stayRequest.nights
        const before = price({ ...bare, plan, stayRequest }).total
        const after = price({ ...bare, plan: { ...plan, nightly: dearer }, stayRequest }).total
        expect(after - before).toBe(step * BigInt(roomNights))
      }),
    )
  })

  it('applies compound taxes to the added taxes before them, and no others', () => {
    const first = { kind: 'percent', code: 'A', basisPoints: 1_000, isCompound: false } as const
    const second = { ...first, code: 'B', isIncluded: false, isCompound: true }
    const taxB = (stay: AnyStay, taxes: RuleSet['taxes']) =>
      price(withRules(stay, { taxes })).lines.find(({ code }) => code === 'B')?.amount ?? 0n
    fc.assert(
      fc.property(anyStay, (stay) => {
        const alone = taxB(stay, [second])
        expect(taxB(stay, [{ ...first, isIncluded: true }, second])).toBe(alone)
        expect(taxB(stay, [second, { ...first, isIncluded: false }])).toBe(alone)
        const over = taxB(stay, [{ ...first, isIncluded: false }, second]) - (alone * 11n) / 10n
        const twoMinorUnits = 2n * minorUnitOf(stay.card.currency)
        expect(over).toBeLessThanOrEqual(twoMinorUnits)
        expect(over).toBeGreaterThanOrEqual(-twoMinorUnits)
      }),
    )
  })
})

describe('the cheapest night', () => {
  it('is the lowest price of one room among the night lines', () => {
    fc.assert(
      fc.property(anyStay, (stay) => {
        const bill = price(stay)
        const perRoom = bill.lines
          .filter(({ kind }) => kind === 'night')
          .map(({ amount, quantity }) => amount / BigInt(quantity))
        expect(bill.cheapestNight).toBe(perRoom.reduce((a, b) => (b < a ? b : a)))
      }),
    )
  })
})
