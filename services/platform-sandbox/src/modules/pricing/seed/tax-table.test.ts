import { type CurrencyCode, newId, parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { type CompiledFee, compileRules } from '../engine/compile-rules.ts'
import { dayOf } from '../engine/day.ts'
import { priceStay } from '../engine/price-stay.ts'
import type { Plan, RateCard } from '../engine/rate-card.ts'
import type { RuleSet } from '../engine/rule-set.ts'
import type { StayRequest } from '../engine/stay-request.ts'
import { seasonsOf } from './season-table.ts'
import { taxesOf } from './tax-table.ts'

const units = (amount: string): bigint => {
  const [whole = '0', cents = '00'] = amount.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(cents.padEnd(2, '0')) * 10_000n
}

const room = { roomTypeId: newId('rmt'), adultsIncluded: 2, adultsMax: 3, childrenMax: 2 }
const ANCHOR = parseIsoDate('2026-08-21')

interface Hotel {
  readonly country: string
  readonly currency: CurrencyCode
  readonly nightly: string
  readonly starRating?: number
  readonly rules?: Partial<RuleSet>
  readonly plan?: Partial<Plan>
}

function open({ country, currency, nightly, starRating = 3, rules, plan }: Hotel) {
  const bar: Plan = {
    ratePlanId: newId('rate'),
    code: 'BAR',
    name: { default: 'BAR' },
    board: 'room_only',
    category: 'bar',
    version: 1,
    cancellation: { kind: 'free', freeUntilHours: 48, penaltyBasisPoints: 10_000 },
    restrictions: {
      minNights: 1,
      maxNights: 30,
      advanceDaysMin: 0,
      closedToArrival: new Set(),
      closedToDeparture: new Set(),
    },
    lengthOfStay: [],
    lastMinute: null,
    nightly: new Map([[room.roomTypeId, units(nightly)]]),
    ...plan,
  }
  const card: RateCard = {
    tenantId: newId('tnt'),
    propertyId: newId('ppt'),
    revision: 0,
    currency,
    timeZone: 'Asia/Kabul',
    rooms: [room],
    plans: [bar],
    rules: compileRules({
      seasons: [],
      weekdays: [],
      extras: { adultMicro: '0', children: [] },
      fees: [],
      taxes: taxesOf(country, { currency, starRating }),
      ...rules,
    }),
  }
  return (
    checkIn: string,
    nights: number,
    more: Partial<StayRequest> & { quantity?: number } = {},
  ) => {
    const { quantity = 1, ...stayRequest } = more
    const arrival = dayOf(parseIsoDate(checkIn))
    const stay = { arrival, nights, today: arrival - 30, party: { adults: 2, childAges: [] } }
    const bill = priceStay(
      card,
      { plan: bar, rooms: [{ room, quantity }] },
      { ...stay, ...stayRequest },
    )
    const amounts = bill.lines.map(({ code, amount }) => [code, amount] as const)
    return { total: bill.total, amounts, lines: bill.lines }
  }
}

describe('Afghanistan: ten percent hotel tax', () => {
  const friday = { weekdays: [10_000, 10_000, 10_000, 10_000, 11_000, 11_000, 10_000] }

  it('prices Wednesday and Thursday night of a room of 2450 afghanis', () => {
    const stay = open({ country: 'AF', currency: 'AFN', nightly: '2450', rules: friday })
    expect(stay('2026-09-02', 2)).toMatchObject({
      amounts: [
        ['BAR', units('2450')],
        ['BAR', units('2695')],
        ['HOTEL-TAX', units('514.50')],
      ],
      total: units('5659.50'),
    })
  })

  it('applies the long-stay discount, then the promotion, then taxes', () => {
    const stay = open({
      country: 'AF',
      currency: 'AFN',
      nightly: '1999.99',
      plan: { lengthOfStay: [{ minNights: 4, basisPoints: 500n }] },
    })
    const promotion = { code: 'TEA', discount: { kind: 'percent', basisPoints: 1_000n } } as const
    // 7999.96 − 400.00 (399.998) = 7599.96; − 760.00 (759.996) = 6839.96; + 684.00 (683.996).
    expect(stay('2026-09-05', 4, { promotion })).toMatchObject({ total: units('7523.96') })
  })

  it('applies season prices in Bamyan in summer and at Eid', () => {
    const place = { scenery: 'mountain', hasMuslimFeasts: true, hasNowruz: true } as const
    const seasons = seasonsOf(ANCHOR, place)
    const stay = open({ country: 'AF', currency: 'AFN', nightly: '1000', rules: { seasons } })
    expect(stay('2026-07-01', 1).total).toBe(units('1375'))
    expect(stay('2026-05-27', 1).total).toBe(units('1430'))
    expect(stay('2027-03-18', 1).total).toBe(units('1485'))
    expect(stay('2026-12-24', 1).total).toBe(units('880'))
    expect(stay('2026-10-10', 1).total).toBe(units('1100'))
  })
})

describe('Pakistan: sixteen percent sales tax', () => {
  it('prices three season nights for three adults', () => {
    const stay = open({
      country: 'PK',
      currency: 'PKR',
      nightly: '11333.33',
      rules: {
        seasons: [
          {
            code: 'S',
            from: parseIsoDate('2026-08-01'),
            to: parseIsoDate('2026-10-01'),
            basisPoints: 13_500,
          },
        ],
        extras: { adultMicro: String(units('1946')), children: [] },
      },
    })
    // 11333.33 × 1.35 = 15299.9955, so 15300.00 a night.
    const party = { adults: 3, childAges: [] }
    expect(stay('2026-09-02', 3, { party })).toMatchObject({
      amounts: [
        ['BAR', units('15300')],
        ['BAR', units('15300')],
        ['BAR', units('15300')],
        ['EXTRA-ADULT', units('5838')],
        ['GST', units('8278.08')],
      ],
      total: units('60016.08'),
    })
  })
})

describe('Emirates: municipality, value added tax over it, tourism dirham', () => {
  it('prices two nights in a four-star hotel', () => {
    const stay = open({ country: 'AE', currency: 'AED', nightly: '385.25', starRating: 4 })
    // VAT: five percent of 770.50 + 77.05 is 42.3775.
    expect(stay('2026-09-02', 2)).toMatchObject({
      amounts: [
        ['BAR', units('385.25')],
        ['BAR', units('385.25')],
        ['MUNICIPALITY', units('77.05')],
        ['VAT', units('42.38')],
        ['TOURISM-DIRHAM', units('30')],
      ],
      total: units('919.93'),
    })
  })

  it('counts the dirham per room and night, by the stars', () => {
    const stay = open({ country: 'AE', currency: 'AED', nightly: '100', starRating: 5 })
    const dirham = stay('2026-09-02', 3, { quantity: 2 }).lines.find(
      ({ code }) => code === 'TOURISM-DIRHAM',
    )
    expect(dirham).toMatchObject({ quantity: 6, amount: units('120') })
  })
})

describe('Germany: included value added tax, additional city tax', () => {
  it('adds the city tax of adults only', () => {
    const stay = open({ country: 'DE', currency: 'EUR', nightly: '107' })
    const party = { adults: 2, childAges: [9] }
    const bill = stay('2026-09-02', 1, { party })
    expect(bill).toMatchObject({
      amounts: [
        ['BAR', units('107')],
        ['VAT', units('7')],
        ['CITY-TAX', units('6')],
      ],
      total: units('113'),
    })
    expect(bill.lines.map(({ included }) => included)).toEqual([false, true, false])
  })
})

describe('fees', () => {
  it('are taxed as configured, once per room or per night', () => {
    const fee = (per: CompiledFee['per'], isTaxed: boolean) => ({
      fees: [{ code: 'CLEANING', per, micro: String(units('100')), isTaxed }],
    })
    const hotel = { country: 'AF', currency: 'AFN', nightly: '1000' } as const
    const total = (rules: Partial<RuleSet>) =>
      open({ ...hotel, rules })('2026-09-05', 2, { quantity: 2 }).total
    expect(total(fee('room', true))).toBe(units('4620'))
    expect(total(fee('room', false))).toBe(units('4600'))
    expect(total(fee('room-night', true))).toBe(units('4840'))
  })
})

describe('children', () => {
  it('are priced by age band', () => {
    const extras = {
      adultMicro: '0',
      children: [
        { fromAge: 6, micro: String(units('200')) },
        { fromAge: 12, micro: String(units('500')) },
      ],
    }
    const stay = open({ country: 'XX', currency: 'AFN', nightly: '1000', rules: { extras } })
    const of = (...childAges: number[]) =>
      stay('2026-09-05', 2, { party: { adults: 2, childAges } }).total
    expect(of(5)).toBe(units('2000'))
    expect(of(6)).toBe(units('2400'))
    expect(of(5, 11, 12)).toBe(units('3400'))
  })
})

describe('arriving tomorrow', () => {
  it('costs more within the configured days, and not the day before', () => {
    const plan = { lastMinute: { withinDays: 1, basisPoints: 500 } }
    const stay = open({ country: 'AF', currency: 'AFN', nightly: '1000', plan })
    const arrival = dayOf(parseIsoDate('2026-09-05'))
    expect(stay('2026-09-05', 1, { today: arrival - 1 }).total).toBe(units('1155'))
    expect(stay('2026-09-05', 1, { today: arrival - 2 }).total).toBe(units('1100'))
  })
})
