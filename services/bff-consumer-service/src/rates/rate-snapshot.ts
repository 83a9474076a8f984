import { type CurrencyCode, isProblem, microToMinor, type PropertyId } from '@melmastoon/domain'
import { currency, id, instant } from '@melmastoon/upstream-contracts'
import {
  DISPLAY_POLICIES,
  type Preview as PreviewSchema,
} from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'

/** Amounts are safe JSON integers in minor units (D7). */
export const RateSnapshotVM = Type.Object({
  cheapestNightlyMinor: Type.Integer(),
  totalForStayMinor: Type.Integer(),
  currency: currency(),
  currencyDisplayPolicy: Type.Enum([...DISPLAY_POLICIES]),
  fxSnapshotId: Type.Optional(id('fxs')),
  capturedAt: instant(),
  ttlExpiresAt: instant(),
  /** True from `ttlExpiresAt` on, whichever cache served the response (D6). */
  isStale: Type.Boolean(),
})

export type RateSnapshotVM = Static<typeof RateSnapshotVM>

export type Preview = Static<typeof PreviewSchema>

/** When the prices of one response were captured, and until when they are fresh. */
export interface RateTimes {
  readonly capturedAt: RateSnapshotVM['capturedAt']
  readonly ttlExpiresAt: RateSnapshotVM['ttlExpiresAt']
  /** `ttlExpiresAt` has passed already: the pricing service has caches, too (D6). */
  readonly isStale: boolean
}

export type InvalidRate = 'amount' | 'currency' | 'incomplete'

export type SerializedRate =
  | { readonly kind: 'rate'; readonly propertyId: PropertyId; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly reason: InvalidRate }

type Amounts = Pick<RateSnapshotVM, 'cheapestNightlyMinor' | 'totalForStayMinor' | 'currency'>

/**
 * A price is passed on exactly or not at all (D7). One that matches the schema and cannot be a
 * price is rejected with a reason; the card then has no price.
 */
export function serializeRate(preview: Preview, times: RateTimes): SerializedRate {
  if (preview.status !== 'priced') return { kind: 'none' }
  const amounts = readAmounts(preview)
  if (typeof amounts === 'string') return { kind: 'invalid', reason: amounts }
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

function readAmounts({ cheapestNightly, totalForStay }: Preview): Amounts | InvalidRate {
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
