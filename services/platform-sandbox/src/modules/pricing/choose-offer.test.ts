import { addDays, newId, Problem, parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { chooseOffer, type OfferRequest } from './choose-offer.ts'
import { compileRules } from './engine/compile-rules.ts'
import { dayOf } from './engine/day.ts'
import { findOffers } from './engine/find-offers.ts'
import type { Plan, RateCard, RateCategory, Restrictions } from './engine/rate-card.ts'
import { partyOf, type StayRequest } from './engine/stay-request.ts'

const ARRIVAL = parseIsoDate('2026-09-05')
const arrival = dayOf(ARRIVAL)
const small = { roomTypeId: newId('rmt'), adultsIncluded: 1, adultsMax: 2, childrenMax: 0 }
const large = { roomTypeId: newId('rmt'), adultsIncluded: 2, adultsMax: 4, childrenMax: 2 }

function plan(code: string, category: RateCategory, more: Partial<Restrictions> = {}): Plan {
  const price = { BAR: 100n, NRF: 90n, WEEK: 80n, CORP: 10n }[code] ?? 100n
  return {
    ratePlanId: newId('rate'),
    code,
    name: { default: code },
    board: 'room_only',
    category,
    version: 1,
    cancellation: { kind: 'free', freeUntilHours: 48, penaltyBasisPoints: 10_000 },
    restrictions: {
      minNights: 1,
      maxNights: 30,
      advanceDaysMin: 0,
      closedToArrival: new Set(),
      closedToDeparture: new Set(),
      ...more,
    },
    lengthOfStay: [],
    lastMinute: null,
    nightly: new Map([
      [small.roomTypeId, price * 1_000_000n],
      [large.roomTypeId, price * 2_000_000n],
    ]),
  }
}

const plans = [
  plan('BAR', 'bar'),
  plan('CORP', 'corporate'),
  plan('NRF', 'non-refundable', { advanceDaysMin: 3 }),
  plan('WEEK', 'weekly', { minNights: 7 }),
]

const card: RateCard = {
  tenantId: newId('tnt'),
  propertyId: newId('ppt'),
  revision: 0,
  currency: 'USD',
  timeZone: 'Asia/Kabul',
  rooms: [small, large],
  plans,
  rules: compileRules({
    seasons: [],
    weekdays: [],
    extras: { adultMicro: '0', children: [] },
    fees: [],
    taxes: [],
  }),
}

const stayRequest = (more: Partial<StayRequest> = {}): StayRequest => ({
  arrival,
  nights: 2,
  today: arrival - 30,
  party: { adults: 2, childAges: [] },
  ...more,
})
const request = (more: Partial<OfferRequest> = {}): OfferRequest => ({
  rooms: [{ roomTypeId: small.roomTypeId, quantity: 1 }],
  ...more,
})

function rejection(hotel: RateCard, requested: OfferRequest, stay: StayRequest) {
  const outcome = chooseOffer(hotel, requested, stay)
  if (!(outcome instanceof Problem)) throw new Error('expected a problem')
  const [error] = outcome.errors ?? []
  return [outcome.code.split('.').at(-1), error?.pointer, error?.code]
}

function chosen(requested: OfferRequest, stay: StayRequest) {
  const outcome = chooseOffer(card, requested, stay)
  return outcome instanceof Problem ? outcome.code : outcome.plan.code
}

describe('choosing an offer', () => {
  it('chooses the cheapest public plan that allows the stay', () => {
    expect(chosen(request(), stayRequest())).toBe('NRF')
    expect(chosen(request(), stayRequest({ today: arrival - 2 }))).toBe('BAR')
    expect(chosen(request(), stayRequest({ nights: 7 }))).toBe('WEEK')
  })

  it('returns a negotiated rate to callers that name its code', () => {
    expect(chosen(request({ ratePlanCode: 'CORP' }), stayRequest())).toBe('CORP')
  })

  it('has no rate for unknown plans, unknown rooms and hotels without plans', () => {
    const unknown = { rooms: [{ roomTypeId: newId('rmt'), quantity: 1 }] }
    expect(rejection(card, request({ ratePlanCode: 'NOPE' }), stayRequest())).toEqual([
      'NO_RATE',
      '/ratePlanCode',
      'unknown',
    ])
    expect(rejection(card, unknown, stayRequest())).toEqual([
      'NO_RATE',
      '/rooms',
      'unknown_room_type',
    ])
    expect(rejection({ ...card, plans: [] }, request(), stayRequest())[0]).toBe('NO_RATE')
  })

  it.each([
    ['min_nights', '/stay/checkOut', { minNights: 3 }],
    ['max_nights', '/stay/checkOut', { maxNights: 1 }],
    ['advance_days', '/stay/checkIn', { advanceDaysMin: 31 }],
    ['closed_to_arrival', '/stay/checkIn', { closedToArrival: new Set([arrival]) }],
    [
      'closed_to_departure',
      '/stay/checkOut',
      { closedToDeparture: new Set([dayOf(addDays(ARRIVAL, 2))]) },
    ],
  ])('reports the restriction %s', (code, pointer, restriction) => {
    const hotel = { ...card, plans: [plan('BAR', 'bar', restriction)] }
    expect(rejection(hotel, request(), stayRequest())).toEqual(['RESTRICTED', pointer, code])
  })

  it('rejects three adults in two beds, and an adult in a child’s bed', () => {
    const party = { adults: 3, childAges: [] }
    expect(rejection(card, request(), stayRequest({ party }))).toEqual([
      'RESTRICTED',
      '/occupancy',
      'capacity',
    ])
    const two = { rooms: [{ roomTypeId: small.roomTypeId, quantity: 2 }] }
    expect(chosen(two, stayRequest({ party }))).toBe('NRF')
    const five = stayRequest({ party: { adults: 5, childAges: [] } })
    const one = { rooms: [{ roomTypeId: large.roomTypeId, quantity: 1 }] }
    expect(rejection(card, one, five)[2]).toBe('capacity')
    expect(chosen(one, stayRequest({ party: { adults: 1, childAges: [1, 2, 3, 4, 5] } }))).toBe(
      'NRF',
    )
  })
})

describe('a minimum age', () => {
  const hotel = { ...card, rules: { ...card.rules, minGuestAge: 16 } }
  const one = { rooms: [{ roomTypeId: large.roomTypeId, quantity: 1 }] }
  const withChildren = (children: number, childrenAges?: number[]) =>
    stayRequest({ party: partyOf({ adults: 2, children, ...(childrenAges && { childrenAges }) }) })

  it('excludes younger children, and children without an age', () => {
    const rejected = ['RESTRICTED', '/occupancy/childrenAges', 'party_not_accepted']
    expect(rejection(hotel, one, withChildren(1, [15]))).toEqual(rejected)
    expect(rejection(hotel, one, withChildren(1))).toEqual(rejected)
    expect(findOffers(hotel, 1, withChildren(1, [15]))).toEqual([])
    expect(findOffers(hotel, 1, withChildren(1, [16]))).toHaveLength(1)
    expect(findOffers(card, 1, withChildren(1))).toHaveLength(1)
  })
})

describe('offers per room type', () => {
  it('omit rooms that are too small and negotiated rates', () => {
    const family = stayRequest({ party: { adults: 3, childAges: [4] } })
    expect(findOffers(card, 1, family).map(({ rooms }) => rooms[0]?.room)).toEqual([large])
    expect(findOffers(card, 1, stayRequest())).toHaveLength(2)
    expect(findOffers(card, 1, stayRequest()).map((offer) => offer.plan.code)).toEqual([
      'NRF',
      'NRF',
    ])
  })

  it('are empty when no plan allows the stay', () => {
    expect(findOffers(card, 1, stayRequest({ nights: 31 }))).toEqual([])
  })
})
