import { CURRENCY_CODES, newId, type RoomTypeId } from '@melmastoon/domain'
import { UNBOOKABLE_REASONS, type UnbookableReason } from '@melmastoon/upstream-contracts/offers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayPrice } from '../display-price.ts'
import { type AnyStay, anyStay } from '../engine/arbitrary-stay.ts'
import { dateOf } from '../engine/day.ts'
import type { Plan, RateCard } from '../engine/rate-card.ts'
import { REFERENCE_FX } from '../fx-reference.ts'
import { CheapestOffers } from './cheapest-offers.ts'
import { hotelReason } from './find-reason.ts'
import { currentKind, freeUntilMs } from './free-until.ts'
import type { HotelStock } from './hotel-stock.ts'
import { listOffers } from './list-offers.ts'
import { listStayDays } from './list-stay-days.ts'
import type { OfferedStay } from './offered-stay.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Changes {
  readonly category: Plan['category']
  readonly kind: Plan['cancellation']['kind']
  readonly penaltyBasisPoints: number
  readonly minNights: number
  readonly advanceDaysMin: number
  readonly isClosedToArrival: boolean
  readonly hasPrices: boolean
}

const changes: fc.Arbitrary<Changes> = fc.record({
  category: fc.constantFrom('bar', 'non-refundable', 'corporate'),
  kind: fc.constantFrom('free', 'partial', 'none'),
  penaltyBasisPoints: fc.constantFrom(5_000, 10_000),
  minNights: fc.integer({ min: 1, max: 8 }),
  advanceDaysMin: fc.nat({ max: 5 }),
  isClosedToArrival: fc.nat({ max: 5 }).map((draw) => draw === 0),
  hasPrices: fc.nat({ max: 5 }).map((draw) => draw > 0),
})

function planWith(plan: Plan, change: Changes, arrival: number): Plan {
  const { category, kind, penaltyBasisPoints, isClosedToArrival, hasPrices } = change
  const { minNights, advanceDaysMin } = change
  const closedToArrival = new Set(isClosedToArrival ? [arrival] : [])
  const restrictions = { ...plan.restrictions, minNights, advanceDaysMin, closedToArrival }
  const cancellation = { ...plan.cancellation, kind, penaltyBasisPoints }
  const nightly = hasPrices ? plan.nightly : new Map()
  return { ...plan, ratePlanId: newId('rate'), category, cancellation, restrictions, nightly }
}

interface OfferedHotel {
  readonly card: RateCard
  readonly stock: HotelStock
  readonly stay: OfferedStay
  readonly time: { readonly today: number; readonly nowMs: number }
}

/** A hotel with three plans of all kinds, and a few rooms left of each type. */
const offeredHotel: fc.Arbitrary<OfferedHotel> = fc
  .record({
    any: anyStay,
    plans: fc.array(changes, { minLength: 3, maxLength: 3 }),
    left: fc.array(fc.nat({ max: 6 }), { minLength: 4, maxLength: 4 }),
    flexibility: fc.constantFrom('free' as const, 'partial' as const, 'any' as const),
    quantity: fc.integer({ min: 1, max: 3 }),
    minGuestAge: fc.constantFrom(0, 0, 0, 8),
  })
  .map(({ any, plans, left, flexibility, quantity, minGuestAge }) => {
    const { card, stayRequest } = any
    const { arrival, nights, party, today } = stayRequest
    return {
      card: { ...card, plans: plansOf(any, plans), rules: { ...card.rules, minGuestAge } },
      stock: stockOf(card, left),
      stay: { arrival, nights, party, quantity, flexibility },
      time: { today, nowMs: today * DAY_MS + HOUR_MS },
    }
  })

function plansOf({ plan, stayRequest }: AnyStay, all: readonly Changes[]): Plan[] {
  return all.map((change, at) => ({
    ...planWith(plan, change, stayRequest.arrival),
    code: `PLAN${at}`,
  }))
}

function stockOf({ rooms }: RateCard, left: readonly number[]): HotelStock {
  const known = new Map<RoomTypeId, number>(
    rooms.map(({ roomTypeId }, at) => [roomTypeId, left[at] ?? 0]),
  )
  return {
    timeZone: 'Asia/Kabul',
    roomTypes: rooms.map(({ roomTypeId }) => ({ roomTypeId, name: { default: 'Room' } })),
    paymentMethods: ['cash_on_arrival', 'card'],
    roomsLeft: (roomTypeId) => known.get(roomTypeId) ?? 0,
  }
}

const FX = {
  fxSnapshotId: newId('fxs'),
  base: 'USD' as const,
  takenAtMs: 0,
  staleAfterMs: DAY_MS,
  hardExpireAtMs: 3 * DAY_MS,
  source: 'test',
}

const displayOf = ({ currency: own }: RateCard) =>
  displayPrice({ own, requested: own, fx: null, nowMs: 0 })

function isMet({ card, stay, time }: OfferedHotel, code: string): boolean {
  const plan = card.plans.find((each) => each.code === code)
  if (plan === undefined) return false
  if (stay.flexibility === 'any') return true
  const { kind, penaltyBasisPoints } = plan.cancellation
  const untilMs = freeUntilMs(plan.cancellation, stay.arrival, card.timeZone) ?? 0
  const isPartial = kind !== 'none' && penaltyBasisPoints < 10_000
  return time.nowMs < untilMs || (stay.flexibility === 'partial' && isPartial)
}

function offersOf(hotel: OfferedHotel) {
  const { card, stock, stay, time } = hotel
  const rooms = listOffers(card, stock, { stay, time, display: displayOf(card) })
  return rooms
    .flatMap(({ offers }) => offers)
    .filter(({ ratePlanCode }) => isMet(hotel, ratePlanCode))
}

describe('the shown offer', () => {
  it('is the cheapest of all that have a price, line by line', () => {
    fc.assert(
      fc.property(offeredHotel, (hotel) => {
        const { card, stock, stay, time } = hotel
        const found = new CheapestOffers(stay).find(card, stock, time)
        const totals = offersOf(hotel).flatMap(({ price }) =>
          price ? BigInt(price.total.amountMicro) : [],
        )
        const lowest = totals.toSorted((a, b) => (a < b ? -1 : 1))[0]
        expect(found === null ? undefined : BigInt(found.totalMinor) * 10_000n).toBe(lowest)
      }),
      { numRuns: 400 },
    )
  })

  it('is missing for the reason of the offer that comes closest', () => {
    const seen = new Set<UnbookableReason>()
    fc.assert(
      fc.property(offeredHotel, (hotel) => {
        const { card, stock, stay, time } = hotel
        if (new CheapestOffers(stay).find(card, stock, time) !== null) return
        const reason = hotelReason(card, stock, { stay, time })
        const all = offersOf(hotel).flatMap((offer) => offer.reason ?? [])
        const order = (each: UnbookableReason) =>
          each === 'no_rate' ? -1 : UNBOOKABLE_REASONS.indexOf(each)
        const isTooYoung = stay.party.childAges.some((age) => age < card.rules.minGuestAge)
        const none = isTooYoung ? 'party_not_accepted' : 'no_rate'
        const closest = all.toSorted((a, b) => order(b) - order(a))[0] ?? none
        expect(reason).toBe(closest)
        seen.add(reason)
      }),
      { numRuns: 400, seed: 7 },
    )
    expect([...seen]).toEqual(
      expect.arrayContaining(['party_not_accepted', 'sold_out', 'not_enough_rooms', 'min_nights']),
    )
  })

  it('has a price exactly when it has no reason', () => {
    fc.assert(
      fc.property(offeredHotel, (hotel) => {
        for (const { price, reason } of offersOf(hotel)) {
          expect(price === undefined).toBe(reason !== undefined)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('the lines of an offer', () => {
  it('add up to the total and contain the charges, also when converted', () => {
    let withOthers = 0
    fc.assert(
      fc.property(offeredHotel, fc.constantFrom(...CURRENCY_CODES), (hotel, requested) => {
        const { card, stock, stay, time } = hotel
        const fx = {
          ...FX,
          rates: new Map(CURRENCY_CODES.map((code) => [code, REFERENCE_FX[code]])),
        }
        const display = displayPrice({ own: card.currency, requested, fx, nowMs: 0 })
        for (const { offers } of listOffers(card, stock, { stay, time, display })) {
          for (const { price } of offers) {
            if (price === undefined) continue
            const { lines, charges, total } = price
            const added = lines.filter(({ included }) => !included)
            const sum = added.reduce((part, { amount }) => part + BigInt(amount.amountMicro), 0n)
            expect(sum).toBe(BigInt(total.amountMicro))
            expect(lines.filter(({ kind }) => kind === 'night')).toHaveLength(stay.nights)
            const last = lines.filter(({ kind }) => kind === 'fee' || kind === 'tax')
            expect(charges.map(({ code, amount }) => [code, amount])).toEqual(
              last.map(({ code, amount }) => [code, amount]),
            )
            if (requested !== card.currency && lines.length > stay.nights) withOthers += 1
          }
        }
      }),
      { numRuns: 200, seed: 7 },
    )
    expect(withOthers).toBeGreaterThan(20)
  })
})

const DAYS = 5
const NIGHTS_MAX = 12

interface RestrictedHotel extends OfferedHotel {
  readonly stay: OfferedStay & { readonly flexibility: 'any' }
}

/** No departures on some days, and rooms that are sold for some nights. */
const restrictedHotel: fc.Arbitrary<RestrictedHotel> = fc
  .record({
    hotel: offeredHotel,
    closed: fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 8 }), {
      minLength: 3,
      maxLength: 3,
    }),
    sold: fc.uniqueArray(fc.nat({ max: 16 }), { maxLength: 2 }),
  })
  .map(({ hotel, closed, sold }) => {
    const { arrival: from } = hotel.stay
    const plans = hotel.card.plans.map((plan, at) => {
      const closedToDeparture = new Set((closed[at] ?? []).map((ahead) => from + ahead))
      return { ...plan, restrictions: { ...plan.restrictions, closedToDeparture } }
    })
    const isSold = (arrival: number, nights: number) =>
      sold.some((ahead) => from + ahead >= arrival && from + ahead < arrival + nights)
    const roomsLeft: HotelStock['roomsLeft'] = (roomTypeId, arrival, nights) =>
      isSold(arrival, nights) ? 0 : hotel.stock.roomsLeft(roomTypeId, arrival, nights)
    return {
      ...hotel,
      card: { ...hotel.card, plans },
      stock: { ...hotel.stock, roomsLeft },
      stay: { ...hotel.stay, flexibility: 'any' as const },
    }
  })

/** Every length of stay is tried; undefined where none can be booked. */
function shortestBookable(hotel: RestrictedHotel, arrival: number) {
  for (let nights = 1; nights <= NIGHTS_MAX; nights += 1) {
    const offers = offersOf({ ...hotel, stay: { ...hotel.stay, arrival, nights } })
    const totals = offers.flatMap(({ price }) => (price ? BigInt(price.total.amountMicro) : []))
    const [total] = totals.toSorted((a, b) => (a < b ? -1 : 1))
    if (total !== undefined) return { nights, total }
  }
  return undefined
}

describe('the calendar', () => {
  it('has for every day the cheapest of the shortest stays that can be booked', () => {
    let lengthened = 0
    fc.assert(
      fc.property(restrictedHotel, (hotel) => {
        const { card, stock, stay, time } = hotel
        const listed = { stay, time, display: displayOf(card), days: DAYS, nightsMax: NIGHTS_MAX }
        const days = listStayDays(card, stock, listed)
        expect(days).toHaveLength(DAYS)
        for (const [at, { date, cheapest, reason, minNights }] of days.entries()) {
          const arrival = stay.arrival + at
          expect(date).toBe(dateOf(arrival))
          const expected = shortestBookable(hotel, arrival)
          expect(cheapest?.nights).toBe(expected?.nights)
          expect(cheapest?.total.amountMicro).toBe(expected?.total.toString())
          expect(reason === undefined).toBe(cheapest !== undefined)
          if (cheapest === undefined) continue
          expect(minNights).toBe(cheapest.nights)
          const plan = card.plans.find(({ code }) => code === cheapest.ratePlanCode)
          if (cheapest.nights > (plan?.restrictions.minNights ?? 0)) lengthened += 1
        }
      }),
      { numRuns: 60, seed: 7 },
    )
    expect(lengthened).toBeGreaterThan(10)
  })

  it('has no stay where the only plan allows no departure within its longest stay', () => {
    fc.assert(
      fc.property(offeredHotel, ({ card, stock, stay, time }) => {
        const days = Array.from({ length: NIGHTS_MAX + 1 }, (_, at) => stay.arrival + at)
        const plans = card.plans.map((plan) => ({
          ...plan,
          restrictions: { ...plan.restrictions, closedToDeparture: new Set(days) },
        }))
        const listed = { stay, time, display: displayOf(card), days: 1, nightsMax: NIGHTS_MAX }
        const [first] = listStayDays({ ...card, plans }, stock, listed)
        expect(first).not.toHaveProperty('cheapest')
        expect(first).not.toHaveProperty('minNights')
        expect(first).toHaveProperty('reason')
      }),
      { numRuns: 50 },
    )
  })
})

describe('the terms of an offer', () => {
  const arrival = 20_700
  const kindAt = (terms: Plan['cancellation'], hoursBefore: number) => {
    const noonMs = arrival * DAY_MS + 12 * HOUR_MS
    const nowMs = noonMs - hoursBefore * HOUR_MS
    return currentKind(terms, { arrival }, { timeZone: 'UTC', nowMs })
  }

  it('say what a cancellation costs now, not what it cost before', () => {
    const free = { kind: 'free' as const, freeUntilHours: 48, penaltyBasisPoints: 10_000 }
    expect([kindAt(free, 49), kindAt(free, 48)]).toEqual(['free', 'none'])
    const partial = { kind: 'partial' as const, freeUntilHours: 72, penaltyBasisPoints: 5_000 }
    expect([kindAt(partial, 73), kindAt(partial, 72)]).toEqual(['free', 'partial'])
    expect(kindAt({ ...free, kind: 'none' }, 1_000)).toBe('none')
  })
})

describe('free cancellation', () => {
  it('ends some hours before noon of the arrival day, by the clocks of the hotel', () => {
    const terms = { kind: 'free' as const, freeUntilHours: 50, penaltyBasisPoints: 10_000 }
    const arrival = 20_700
    const until = freeUntilMs(terms, arrival, 'Asia/Kabul')
    // Kabul is four and a half hours ahead of UTC.
    expect(until).toBe(arrival * DAY_MS + 12 * HOUR_MS - 4.5 * HOUR_MS - 50 * HOUR_MS)
    expect(freeUntilMs({ ...terms, kind: 'none' }, arrival, 'Asia/Kabul')).toBeNull()
  })

  it('is counted in calendar days, also across a change of the clocks', () => {
    const terms = { kind: 'free' as const, freeUntilHours: 48, penaltyBasisPoints: 10_000 }
    // 2026-03-30: the day after clocks in Berlin went forward.
    const arrival = 20_542
    expect(dateOf(arrival)).toBe('2026-03-30')
    const until = freeUntilMs(terms, arrival, 'Europe/Berlin') ?? 0
    expect(new Date(until).toISOString()).toBe('2026-03-28T11:00:00.000Z')
  })
})
