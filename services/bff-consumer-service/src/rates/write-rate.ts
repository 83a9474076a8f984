import { type CurrencyCode, isProblem, microToMinor, type PropertyId } from '@melmastoon/domain'
import type { Preview } from '@melmastoon/upstream-contracts/pricing'
import type { Static } from 'typebox'
import type { RateSnapshotVM } from '../cards/listing-card.ts'

export type Preview = Static<typeof Preview>

/** When a price was taken and until when it counts as fresh, the same for all of one answer. */
export interface RateTimes {
  readonly capturedAt: RateSnapshotVM['capturedAt']
  readonly ttlExpiresAt: RateSnapshotVM['ttlExpiresAt']
  /** That moment has passed already: pricing has caches, too (D6). */
  readonly isStale: boolean
}

export type RefusedRate = 'amount' | 'currency' | 'incomplete'

export type WrittenRate =
  | { readonly kind: 'rate'; readonly propertyId: PropertyId; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: RefusedRate }

type Amounts = Pick<RateSnapshotVM, 'cheapestNightlyMinor' | 'totalForStayMinor' | 'currency'>

/**
 * A price is passed on exactly or not at all (D7). What fits the schema and still cannot be a price
 * is refused by name; the card then has none.
 */
export function writeRate(preview: Preview, times: RateTimes): WrittenRate {
  if (preview.status !== 'priced') return { kind: 'none' }
  const amounts = readAmounts(preview)
  if (typeof amounts === 'string') return { kind: 'refused', reason: amounts }
  const { currencyDisplayPolicy = 'fallback', fxSnapshotId, fxStale = false } = preview
  const rate: RateSnapshotVM = {
    ...amounts,
    currencyDisplayPolicy,
    ...(fxSnapshotId && { fxSnapshotId }),
    ...times,
    isStale: times.isStale || fxStale,
  }
  return { kind: 'rate', propertyId: preview.propertyId, text: JSON.stringify(rate) }
}

function readAmounts({ cheapestNightly, totalForStay }: Preview): Amounts | RefusedRate {
  if (cheapestNightly === undefined || totalForStay === undefined) return 'incomplete'
  if (cheapestNightly.currency !== totalForStay.currency) return 'currency'
  const { currency } = totalForStay
  const nightly = exactMinor(cheapestNightly.amountMicro, currency)
  const total = exactMinor(totalForStay.amountMicro, currency)
  if (nightly === null || total === null || nightly <= 0 || total <= 0) return 'amount'
  return { cheapestNightlyMinor: nightly, totalForStayMinor: total, currency }
}

/** Null for an amount that is not a whole number of minor units. */
export function exactMinor(amountMicro: string, currency: CurrencyCode): number | null {
  try {
    return microToMinor(amountMicro, currency).amountMinor
  } catch (error) {
    if (isProblem(error)) return null
    throw error
  }
}
