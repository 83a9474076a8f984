import { describe, expect, it } from 'vitest'
import { comparePrice } from './compare-price.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const OTHER = `sha256:${'b'.repeat(64)}`
const afn = (amountMinor: number) => ({ amountMinor, currency: 'AFN' as const })
const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' as const })
const current = { digest: DIGEST, prices: [usd(7_000), afn(500_000)] }

describe('a shown price', () => {
  it('matches by digest, whatever the exchange rates did', () => {
    expect(comparePrice({ digest: DIGEST, price: usd(6_900) }, current)).toEqual({
      outcome: 'matched',
      shown: usd(6_900),
      current: usd(7_000),
    })
  })

  it('matches by amount when there is no digest', () => {
    expect(comparePrice({ price: afn(500_000) }, current)).toMatchObject({ outcome: 'matched' })
  })

  it.each([
    [{ price: afn(480_000) }, { outcome: 'changed', difference: afn(20_000) }],
    [{ price: usd(8_000) }, { outcome: 'changed', difference: usd(-1_000) }],
    [
      { digest: OTHER, price: afn(500_000) },
      { outcome: 'changed', difference: afn(0) },
    ],
    [{ digest: OTHER }, { outcome: 'changed' }],
  ])('changed: %j', (shown, expected) => {
    expect(comparePrice(shown, current)).toMatchObject(expected)
  })

  it('is gone with its offer', () => {
    expect(comparePrice({ price: afn(1) }, null)).toEqual({ outcome: 'gone', shown: afn(1) })
  })

  it('is not compared without a digest or a common currency', () => {
    expect(comparePrice({}, current)).toBeUndefined()
    const euros = { amountMinor: 1, currency: 'EUR' as const }
    expect(comparePrice({ price: euros }, current)).toBeUndefined()
  })
})
