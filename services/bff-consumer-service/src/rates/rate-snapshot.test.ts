import { type IsoDateTime, newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import {
  type CapturedRate,
  capturePrice,
  type Preview,
  rateIn,
  writeStayPrice,
} from './rate-snapshot.ts'

const TIMES = {
  capturedAt: '2026-03-21T09:00:00.000Z' as IsoDateTime,
  ttlExpiresAt: '2026-03-21T09:01:00.000Z' as IsoDateTime,
  isStale: false,
}
const money = (amountMicro: string, currency: 'AFN' | 'USD' = 'AFN') => ({ amountMicro, currency })
const text = (default_: string) => ({ default: default_, localized: { 'fa-AF': `${default_} فا` } })

const price = {
  cheapestNightly: money('2500010000'),
  total: money('4999990000'),
  charges: [
    {
      kind: 'tax' as const,
      code: 'vat',
      label: text('Tax'),
      amount: money('454540000'),
      included: true,
    },
  ],
  digest: `sha256:${'0f'.repeat(32)}`,
  roomsLeft: 2,
}
const terms = {
  roomTypeId: newId('rmt'),
  roomTypeName: text('Twin'),
  ratePlanId: newId('rate'),
  ratePlanCode: 'BAR',
  ratePlanName: text('Flexible'),
  category: 'bar' as const,
  board: 'breakfast' as const,
  cancellation: {
    kind: 'free' as const,
    freeUntil: '2026-03-24T07:30:00.000Z' as IsoDateTime,
    freeUntilHours: 48,
    penaltyBasisPoints: 10_000,
  },
  payment: { timing: 'either' as const, depositBasisPoints: 2_000 },
}
const priced: Preview = {
  propertyId: newId('ppt'),
  status: 'priced',
  offer: { ...terms, price },
  currencyDisplayPolicy: 'tenant',
}
const withPrice = (over: Partial<typeof price>): Preview => ({
  ...priced,
  offer: { ...terms, price: { ...price, ...over } },
})

function rateOf(preview: Preview, times = TIMES): CapturedRate {
  const captured = capturePrice(preview, times)
  if (captured.kind !== 'bookable') throw new TypeError(`the price is ${captured.kind}`)
  return captured.rate
}

describe('C17 a rate', () => {
  it('is exact to the minor unit, with its terms in the language of the response', () => {
    const fxSnapshotId = newId('fxs')
    expect(rateIn(rateOf({ ...priced, fxSnapshotId }), 'fa-AF')).toEqual({
      cheapestNightlyMinor: 250_001,
      totalForStayMinor: 499_999,
      currency: 'AFN',
      currencyDisplayPolicy: 'tenant',
      fxSnapshotId,
      ...TIMES,
      offer: {
        ...terms,
        roomTypeName: 'Twin فا',
        ratePlanName: 'Flexible فا',
        charges: [
          { kind: 'tax', code: 'vat', label: 'Tax فا', amountMinor: 45_454, included: true },
        ],
        roomsLeft: 2,
        digest: price.digest,
      },
    })
  })

  it.each([
    ['its minute is over', { ...TIMES, isStale: true }, {}],
    ['its exchange rates are old', TIMES, { fxStale: true }],
  ])('is stale when %s', (_why, times, over) => {
    expect(rateOf({ ...priced, ...over }, times)).toMatchObject({ isStale: true })
  })

  it.each<[string, Partial<typeof price>]>([
    ['amount', { cheapestNightly: money('2500010001') }],
    ['amount', { total: money('0') }],
    ['amount', { total: money('-5000000') }],
    ['amount', { charges: price.charges.map((tax) => ({ ...tax, amount: money('1') })) }],
    [
      'amount',
      { charges: price.charges.map((tax) => ({ ...tax, amount: money('10000', 'USD') })) },
    ],
    ['currency', { total: money('4999990000', 'USD') }],
  ])('is invalid because of its %s: %j', (reason, over) => {
    expect(capturePrice(withPrice(over), TIMES)).toEqual({ kind: 'invalid', reason })
  })

  it('is invalid without its terms', () => {
    const { offer: _none, ...incomplete } = priced
    expect(capturePrice(incomplete, TIMES)).toEqual({ kind: 'invalid', reason: 'incomplete' })
  })

  it('is absent where the stay cannot be booked, with the reason', () => {
    const unbookable = capturePrice({ ...priced, status: 'unavailable', reason: 'sold_out' }, TIMES)
    expect(unbookable).toEqual({ kind: 'unbookable', reason: 'sold_out' })
    const short = { status: 'unavailable', reason: 'not_enough_rooms', roomsLeft: 2 } as const
    const few = capturePrice({ ...priced, ...short }, TIMES)
    expect(few).toEqual({ kind: 'unbookable', reason: 'not_enough_rooms', roomsLeft: 2 })
    expect(capturePrice({ ...priced, status: 'unavailable' }, TIMES)).toEqual({
      kind: 'unbookable',
      reason: 'no_rate',
    })
  })
})

describe('the members of a card', () => {
  const parse = (members: string) => JSON.parse(`{"first":1${members}}`) as Record<string, unknown>

  it('say whether the stay can be booked, and its price', () => {
    const rate = rateOf(priced)
    expect(parse(writeStayPrice({ kind: 'bookable', rate }, 'en', 'cheapestRateSnapshot'))).toEqual(
      {
        first: 1,
        availability: { bookable: true },
        cheapestRateSnapshot: rateIn(rate, 'en'),
      },
    )
    expect(parse(writeStayPrice({ kind: 'unbookable', reason: 'min_nights' }, 'en'))).toEqual({
      first: 1,
      availability: { bookable: false, reason: 'min_nights' },
    })
  })

  it('are empty while nothing is known', () => {
    expect(writeStayPrice(undefined, 'en')).toBe('')
  })
})
