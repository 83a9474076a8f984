import { addDays, CURRENCY_CODES, newId, parseIsoDate } from '@melmastoon/domain'
import fc from 'fast-check'
import { compileRules } from './compile-rules.ts'
import { minorUnitOf } from './micro.ts'
import type { Plan, RateCard } from './rate-card.ts'
import type { RuleSet, TaxRule } from './rule-set.ts'
import type { RoomCount, StayRequest } from './stay-request.ts'

/** For property tests: any hotel with any rules, and a stay in it. */
export interface AnyStay {
  readonly card: RateCard
  readonly rules: RuleSet
  readonly plan: Plan
  readonly rooms: readonly RoomCount[]
  readonly stayRequest: StayRequest
}

/** 2026-01-01. */
const FIRST_DAY = 20_454
const factor = fc.integer({ min: 4_000, max: 20_000 })
/** Up to 10^9 units a night: rials, and more digits than a double holds. */
const nightlyMinor = fc.oneof(
  fc.bigInt({ min: 1n, max: 100_000n }),
  fc.bigInt({ min: 1n, max: 100_000_000_000n }),
)
const smallMinor = fc.bigInt({ min: 0n, max: 10_000_000n })
const percent = fc.integer({ min: 1, max: 3_000 })

const season = fc
  .record({ start: fc.nat(300), nights: fc.integer({ min: 1, max: 120 }), basisPoints: factor })
  .map(({ start, nights, basisPoints }) => {
    const from = addDays(parseIsoDate('2026-01-01'), start)
    return { code: 'SEASON', from, to: addDays(from, nights), basisPoints }
  })

const tax = (step: bigint): fc.Arbitrary<TaxRule> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('percent' as const),
      code: fc.constant('PERCENT'),
      basisPoints: percent,
      isIncluded: fc.boolean(),
      isCompound: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('room-night' as const),
      code: fc.constant('ROOM'),
      micro: smallMinor.map((minor) => String(minor * step)),
    }),
    fc.record({
      kind: fc.constant('person-night' as const),
      code: fc.constant('PERSON'),
      micro: smallMinor.map((minor) => String(minor * step)),
      fromAge: fc.nat(17),
      maxNights: fc.integer({ min: 1, max: 20 }),
    }),
  )

const ruleSet = (step: bigint): fc.Arbitrary<RuleSet> => {
  const micro = smallMinor.map((minor) => String(minor * step))
  return fc.record({
    seasons: fc.array(season, { maxLength: 3 }),
    weekdays: fc.array(factor, { minLength: 7, maxLength: 7 }),
    extras: fc.record({
      adultMicro: micro,
      children: fc.tuple(micro, micro).map(([small, big]) => [
        { fromAge: 3, micro: small },
        { fromAge: 12, micro: big },
      ]),
    }),
    fees: fc.array(
      fc.record({
        code: fc.constant('FEE'),
        per: fc.constantFrom('room' as const, 'room-night' as const),
        micro,
        isTaxed: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    taxes: fc.array(tax(step), { maxLength: 4 }),
  })
}

const plan = (rooms: RateCard['rooms'], step: bigint): fc.Arbitrary<Plan> =>
  fc
    .record({
      prices: fc.array(nightlyMinor, { minLength: rooms.length, maxLength: rooms.length }),
      discount: fc.bigInt({ min: 1n, max: 10_000n }),
      hasDiscount: fc.boolean(),
      lastMinute: fc.option(fc.integer({ min: 1, max: 5_000 })),
    })
    .map(({ prices, discount, hasDiscount, lastMinute }) => ({
      ratePlanId: newId('rate'),
      code: 'BAR',
      name: { default: 'BAR' },
      board: 'room_only',
      category: 'bar',
      version: 1,
      cancellation: { kind: 'free', freeUntilHours: 24, penaltyBasisPoints: 10_000 },
      restrictions: {
        minNights: 1,
        maxNights: 90,
        advanceDaysMin: 0,
        closedToArrival: new Set(),
        closedToDeparture: new Set(),
      },
      lengthOfStay: hasDiscount ? [{ minNights: 3, basisPoints: discount }] : [],
      lastMinute: lastMinute === null ? null : { withinDays: 2, basisPoints: lastMinute },
      nightly: new Map(
        rooms.map(({ roomTypeId }, index) => [roomTypeId, (prices[index] ?? 1n) * step]),
      ),
    }))

const room = fc.record({
  roomTypeId: fc.constant(null).map(() => newId('rmt')),
  adultsIncluded: fc.integer({ min: 1, max: 4 }),
  adultsMax: fc.integer({ min: 4, max: 6 }),
  childrenMax: fc.integer({ min: 0, max: 4 }),
})

const stayRequest: fc.Arbitrary<StayRequest> = fc
  .record({
    ahead: fc.nat(30),
    arrival: fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 300 }),
    nights: fc.integer({ min: 1, max: 60 }),
    adults: fc.integer({ min: 1, max: 12 }),
    childAges: fc.array(fc.nat(17), { maxLength: 6 }),
    promotion: fc.option(
      fc.oneof(
        fc.bigInt({ min: 1n, max: 10_000n }).map((basisPoints) => ({
          code: 'PROMO',
          discount: { kind: 'percent' as const, basisPoints },
        })),
        fc.bigInt({ min: 1n, max: 10n ** 16n }).map((amount) => ({
          code: 'PROMO',
          discount: { kind: 'fixed' as const, amount },
        })),
      ),
    ),
  })
  .map(({ ahead, arrival, nights, adults, childAges, promotion }) => ({
    arrival,
    nights,
    today: arrival - ahead,
    party: { adults, childAges: childAges.toSorted((a, b) => a - b) },
    ...(promotion && { promotion }),
  }))

export const anyStay: fc.Arbitrary<AnyStay> = fc
  .record({
    currency: fc.constantFrom(...CURRENCY_CODES),
    roomTypes: fc.array(room, { minLength: 1, maxLength: 4 }),
  })
  .chain(({ currency, roomTypes }) => {
    const sorted = roomTypes.toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1))
    const step = minorUnitOf(currency)
    return fc.record({
      currency: fc.constant(currency),
      roomTypes: fc.constant(sorted),
      rules: ruleSet(step),
      plan: plan(sorted, step),
      quantities: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 }),
      stayRequest,
    })
  })
  .map(({ currency, roomTypes, rules, plan: bar, quantities, stayRequest: requested }) => ({
    rules,
    plan: bar,
    stayRequest: requested,
    rooms: roomTypes.map((type, index) => ({ room: type, quantity: quantities[index] ?? 1 })),
    card: {
      tenantId: newId('tnt'),
      propertyId: newId('ppt'),
      revision: 0,
      currency,
      timeZone: 'Asia/Kabul',
      rooms: roomTypes,
      plans: [bar],
      rules: compileRules(rules),
    },
  }))
