import { type IsoDateTime, newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { type Preview, serializeRate } from './rate-snapshot.ts'

const TIMES = {
  capturedAt: '2026-03-21T09:00:00.000Z' as IsoDateTime,
  ttlExpiresAt: '2026-03-21T09:01:00.000Z' as IsoDateTime,
  isStale: false,
}
const money = (amountMicro: string, currency: 'AFN' | 'USD' = 'AFN') => ({ amountMicro, currency })
const priced: Preview = {
  propertyId: newId('ppt'),
  status: 'priced',
  cheapestNightly: money('2500010000'),
  totalForStay: money('4999990000'),
  currencyDisplayPolicy: 'tenant',
}

describe('a rate', () => {
  it('is exact to the minor unit', () => {
    const fxSnapshotId = newId('fxs')
    const written = serializeRate({ ...priced, fxSnapshotId }, TIMES)
    expect(written).toMatchObject({ kind: 'rate', propertyId: priced.propertyId })
    expect(JSON.parse(written.kind === 'rate' ? written.text : '')).toEqual({
      cheapestNightlyMinor: 250_001,
      totalForStayMinor: 499_999,
      currency: 'AFN',
      currencyDisplayPolicy: 'tenant',
      fxSnapshotId,
      ...TIMES,
    })
  })

  it.each([
    ['its minute is over', { ...TIMES, isStale: true }, {}],
    ['its exchange rates are old', TIMES, { fxStale: true }],
  ])('is stale when %s', (_why, times, over) => {
    const written = serializeRate({ ...priced, ...over }, times)
    expect(JSON.parse(written.kind === 'rate' ? written.text : '')).toMatchObject({ isStale: true })
  })

  it.each<[string, Partial<Preview>]>([
    ['amount', { cheapestNightly: money('2500010001') }],
    ['amount', { totalForStay: money('0') }],
    ['amount', { totalForStay: money('-5000000') }],
    ['currency', { totalForStay: money('4999990000', 'USD') }],
  ])('is invalid because of its %s: %j', (reason, over) => {
    expect(serializeRate({ ...priced, ...over }, TIMES)).toEqual({ kind: 'invalid', reason })
  })

  it('is invalid without amounts, and absent where no room is available', () => {
    const { totalForStay: _none, ...incomplete } = priced
    expect(serializeRate(incomplete, TIMES)).toEqual({ kind: 'invalid', reason: 'incomplete' })
    expect(serializeRate({ ...priced, status: 'unavailable' }, TIMES)).toEqual({ kind: 'none' })
  })
})
