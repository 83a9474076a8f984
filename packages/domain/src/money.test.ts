import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCY_CODES, type CurrencyCode, currencyExponent, isCurrency } from './currency.ts'
import { compareMoney, formatMoney, isMoney, microToMinor, minorToMicro, money } from './money.ts'

const currencies = fc.constantFrom(...CURRENCY_CODES)

function codeOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return (error as { code?: unknown }).code ?? (error as Error).name
  }
  return 'nothing thrown'
}

describe('D7 money', () => {
  it('D7 contains the platform currencies, each with two digits', () => {
    expect(CURRENCY_CODES).toEqual(['AFN', 'USD', 'EUR', 'IRR', 'PKR', 'AED', 'GBP'])
    for (const code of CURRENCY_CODES) expect(currencyExponent(code)).toBe(2)
  })

  it.each(['afn', 'JPY', '', 'USD ', null, 840, 'toString', '__proto__', ['USD']])(
    'D7 %j is not a currency',
    (value) => {
      expect(isCurrency(value)).toBe(false)
      expect(() => money(1, value as CurrencyCode)).toThrow(TypeError)
    },
  )

  it.each([0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), '1', 1n, null, undefined])(
    'D7 rejects the amount %s',
    (amount) => {
      expect(() => money(amount as number, 'AFN')).toThrow(RangeError)
      expect(isMoney({ amountMinor: amount, currency: 'AFN' })).toBe(false)
    },
  )

  it('D7 accepts the whole safe range and has no negative zero', () => {
    expect(money(Number.MAX_SAFE_INTEGER, 'IRR').amountMinor).toBe(Number.MAX_SAFE_INTEGER)
    expect(money(Number.MIN_SAFE_INTEGER, 'IRR').amountMinor).toBe(Number.MIN_SAFE_INTEGER)
    expect(Object.is(money(-0, 'IRR').amountMinor, 0)).toBe(true)
  })

  it.each([null, 1, 'x', [], {}, { amountMinor: 1 }, { currency: 'AFN' }])(
    'D7 %j is no money',
    (value) => {
      expect(isMoney(value)).toBe(false)
    },
  )

  it('D7 compares amounts of one currency only', () => {
    expect(compareMoney(money(1, 'USD'), money(2, 'USD'))).toBe(-1)
    expect(compareMoney(money(2, 'USD'), money(2, 'USD'))).toBe(0)
    expect(compareMoney(money(3, 'USD'), money(2, 'USD'))).toBe(1)
    expect(() => compareMoney(money(1, 'USD'), money(1, 'AFN'))).toThrow(TypeError)
  })
})

describe('D7 micro-units', () => {
  it('D7 minor → micro → minor is the identity', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), currencies, (amountMinor, currency) => {
        const amount = money(amountMinor, currency)
        expect(microToMinor(minorToMicro(amount), currency)).toEqual(amount)
        expect(microToMinor(minorToMicro(amount).toString(), currency)).toEqual(amount)
      }),
    )
  })

  it('D7 converts exactly or fails, never rounds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }), (micro) => {
        const exact = micro % 10_000n === 0n
        const inRange = Number.isSafeInteger(Number(micro / 10_000n))
        const outcome = codeOf(() => expect(minorToMicro(microToMinor(micro, 'AFN'))).toBe(micro))
        const expected =
          exact && inRange ? 'nothing thrown' : 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'
        expect(outcome).toBe(expected)
      }),
    )
  })

  it.each(['', ' 1', '1.0', '1e6', '0x10', '+1', '1_000', '-', '٣', '9'.repeat(39), 'NaN'])(
    'D7 rejects the micro text %j',
    (text) => {
      expect(codeOf(() => microToMinor(text, 'AFN'))).toBe(
        'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
      )
    },
  )

  it.each([
    ['12500000', 1250],
    ['125000000', 12500],
    ['-10000', -1],
    ['0', 0],
  ])('D7 %s micro equals %d minor', (micro, minor) => {
    expect(microToMinor(micro, 'USD')).toEqual({ amountMinor: minor, currency: 'USD' })
  })
})

describe('D7 formatting', () => {
  it.each(CURRENCY_CODES)('D7 shows both digits of %s', (currency) => {
    expect(formatMoney(money(1_234_567, currency), 'en')).toContain('12,345.67')
  })

  it.each([
    [5, '0.05'],
    [-5, '-'],
    [0, '0.00'],
    [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91'],
    [Number.MIN_SAFE_INTEGER, '90,071,992,547,409.91'],
  ])('D7 %d is formatted with every digit', (amountMinor, text) => {
    expect(formatMoney(money(amountMinor, 'AFN'), 'en')).toContain(text)
  })

  it('D7 uses the digits of the locale', () => {
    expect(formatMoney(money(12_50, 'AFN'), 'fa-AF')).toContain('۱۲٫۵۰')
    expect(formatMoney(money(12_50, 'AFN'), 'ps-AF')).toContain('۱۲٫۵۰')
  })
})
