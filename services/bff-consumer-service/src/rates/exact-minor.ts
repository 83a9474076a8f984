import { type CurrencyCode, isProblem, microToMinor } from '@melmastoon/domain'

/** Null for an amount that is not a whole number of minor units (D7). */
export function exactMinor(amountMicro: string, currency: CurrencyCode): number | null {
  try {
    return microToMinor(amountMicro, currency).amountMinor
  } catch (error) {
    if (isProblem(error)) return null
    throw error
  }
}
