import { type Money, microToMinor, money } from '@melmastoon/domain'
import type { Terms } from './draft.ts'

type Amount = Pick<Money, 'amountMinor' | 'currency'>

export interface PriceOf {
  readonly digest: string
  readonly total: Money
  readonly displayTotal: Money | null
  readonly cancellation: Terms['cancellation']
}

/** Old and new terms and the difference, as a guest compares them before they agree. */
export interface PriceChange {
  readonly [member: string]: unknown
  readonly previous: PriceOf
  readonly current: PriceOf
  /** Null when the currencies differ. */
  readonly difference: Money | null
}

export function priceChange(previous: Terms, current: Terms): PriceChange {
  return {
    previous: priceOf(previous),
    current: priceOf(current),
    difference: differenceOf(priceOf(previous).total, priceOf(current).total),
  }
}

function priceOf({ digest, total, displayTotal, cancellation }: Terms): PriceOf {
  return {
    digest,
    total: microToMinor(total.amountMicro, total.currency),
    displayTotal:
      displayTotal === null ? null : microToMinor(displayTotal.amountMicro, displayTotal.currency),
    cancellation,
  }
}

/**
 * Shown, never charged: the payment uses the new total itself (D7).
 * @returns null for different currencies, or a price that is not known.
 */
export function differenceOf(before: Amount | null, after: Amount): Money | null {
  if (before === null || before.currency !== after.currency) return null
  return money(after.amountMinor - before.amountMinor, after.currency)
}
