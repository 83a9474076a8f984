import { createHash } from 'node:crypto'
import { CURRENCY_CODES, type CurrencyCode } from '@melmastoon/domain'
import { divideHalfEven, WHOLE } from './engine/micro.ts'

export const FX_BASE: CurrencyCode = 'USD'

/** The base of the demo rates: millionths of the currency per dollar. */
export const REFERENCE_FX: Readonly<Record<CurrencyCode, bigint>> = {
  AFN: 70_500_000n,
  USD: 1_000_000n,
  EUR: 920_000n,
  IRR: 600_000_000_000n,
  PKR: 278_000_000n,
  AED: 3_672_500n,
  GBP: 780_000n,
}

/** The dirham is pegged to the dollar. */
const FIXED: ReadonlySet<CurrencyCode> = new Set(['USD', 'AED'])
const DEVIATION_BASIS_POINTS = 40n

/** Deterministic per hour, at most 0.4 percent off the reference. */
export function demoRates(hour: Date): Record<CurrencyCode, bigint> {
  const rates = CURRENCY_CODES.map((code) => [code, deviation(code, hour)])
  return Object.fromEntries(rates) as Record<CurrencyCode, bigint>
}

function deviation(code: CurrencyCode, hour: Date): bigint {
  const reference = REFERENCE_FX[code]
  if (FIXED.has(code)) return reference
  const bytes = createHash('sha256').update(`${code} ${hour.toISOString()}`).digest()
  const span = 2n * DEVIATION_BASIS_POINTS + 1n
  const shift = (BigInt(bytes.readUInt32BE(0)) % span) - DEVIATION_BASIS_POINTS
  return divideHalfEven(reference * (WHOLE + shift), WHOLE)
}
