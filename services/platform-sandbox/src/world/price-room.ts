import type { CurrencyCode } from '@melmastoon/domain'

/** Approximate value of a dollar and the rounding step of displayed prices. */
const BOARDS: Readonly<Record<CurrencyCode, { perUsd: number; step: number }>> = {
  AFN: { perUsd: 70, step: 50 },
  USD: { perUsd: 1, step: 1 },
  EUR: { perUsd: 0.92, step: 1 },
  IRR: { perUsd: 600_000, step: 100_000 },
  PKR: { perUsd: 280, step: 100 },
  AED: { perUsd: 3.67, step: 5 },
  GBP: { perUsd: 0.79, step: 1 },
}

export function boardPrice(usd: number, currency: CurrencyCode): bigint {
  const { perUsd, step } = BOARDS[currency]
  const steps = Math.max(1, Math.round((usd * perUsd) / step))
  return BigInt(steps * step) * 1_000_000n
}
