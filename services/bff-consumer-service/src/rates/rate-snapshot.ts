import type { Locale } from '@melmastoon/domain'
import { currency, id, instant, named } from '@melmastoon/upstream-contracts'
import {
  DISPLAY_POLICIES,
  type OfferPrice,
  type OfferTerms,
  type UnbookableReason,
} from '@melmastoon/upstream-contracts/offers'
import type { Preview as PreviewSchema } from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'
import { exactMinor } from './exact-minor.ts'
import {
  availabilityOf,
  type CapturedCharge,
  captureCharges,
  chargesIn,
  OFFER_PRICE,
  OFFER_TERMS,
  termsIn,
} from './offer-terms.ts'

/** The amounts of an offer are safe JSON integers in minor units (D7). */
export const RATE_AMOUNTS = {
  cheapestNightlyMinor: Type.Integer({
    description: 'One room in the cheapest night, before extras, fees and taxes; minor units',
  }),
  totalForStayMinor: Type.Integer({
    description: 'All rooms and nights with extras, discounts, fees and taxes; minor units',
  }),
  currency: currency(),
}

/** When prices were captured and how they were converted. */
const RATE_CAPTURE = {
  currencyDisplayPolicy: Type.Enum([...DISPLAY_POLICIES], {
    description:
      'user-preferred: the requested currency. tenant: that of the hotel. fallback: the base of ' +
      'the exchange rates',
  }),
  fxSnapshotId: Type.Optional(id('fxs')),
  capturedAt: instant(),
  ttlExpiresAt: instant(),
  /** True from `ttlExpiresAt` on, whichever cache served the response (D6). */
  isStale: Type.Boolean({ description: 'Older than a minute, or with old exchange rates' }),
}

/** For responses with many prices, which were captured together. */
export const RateCaptureVM = named('RateCapture', Type.Object(RATE_CAPTURE))

export type RateCaptureVM = Static<typeof RateCaptureVM>

export const RateSnapshotVM = named(
  'RateSnapshot',
  Type.Object({
    ...RATE_AMOUNTS,
    ...RATE_CAPTURE,
    /** Room, plan and terms of this price (D33). */
    offer: named('RateOffer', Type.Object({ ...OFFER_TERMS, ...OFFER_PRICE })),
  }),
)

export type RateSnapshotVM = Static<typeof RateSnapshotVM>

export type Preview = Static<typeof PreviewSchema>

/** When the prices of one response were captured, and until when they are fresh. */
export interface RateTimes {
  readonly capturedAt: RateSnapshotVM['capturedAt']
  readonly ttlExpiresAt: RateSnapshotVM['ttlExpiresAt']
  /** `ttlExpiresAt` has passed already: the pricing service has caches, too (D6). */
  readonly isStale: boolean
}

/** A price and its terms in all languages: caches do not depend on the language. */
export interface CapturedRate extends Omit<RateSnapshotVM, 'offer'> {
  readonly offer: OfferTerms & {
    readonly charges: readonly CapturedCharge[]
    readonly roomsLeft: number
    readonly digest: string
  }
}

/** What is known about one hotel for one stay: a price, or why it has none (D33). */
export type StayPrice =
  | { readonly kind: 'bookable'; readonly rate: CapturedRate }
  | {
      readonly kind: 'unbookable'
      readonly reason: UnbookableReason
      /** Of one type, where there are too few. */
      readonly roomsLeft?: number
    }

export type InvalidRate = 'amount' | 'currency' | 'incomplete'

export type CapturedPrice = StayPrice | { readonly kind: 'invalid'; readonly reason: InvalidRate }

/**
 * A price is passed on exactly or not at all (D7), and never without its terms (D33). One that
 * matches the schema and cannot be a price is rejected with a reason; the card then has no price.
 */
export function capturePrice(preview: Preview, times: RateTimes): CapturedPrice {
  const { offer, reason = 'no_rate', roomsLeft } = preview
  if (preview.status !== 'priced') {
    return { kind: 'unbookable', reason, ...(roomsLeft !== undefined && { roomsLeft }) }
  }
  if (offer === undefined) return { kind: 'invalid', reason: 'incomplete' }
  const amounts = captureAmounts(offer.price)
  if (typeof amounts === 'string') return { kind: 'invalid', reason: amounts }
  const { currencyDisplayPolicy = 'fallback', fxSnapshotId, fxStale = false } = preview
  const { charges, ...shown } = amounts
  const { price, ...terms } = offer
  const rate: CapturedRate = {
    ...shown,
    currencyDisplayPolicy,
    ...(fxSnapshotId && { fxSnapshotId }),
    ...times,
    isStale: times.isStale || fxStale,
    offer: { ...terms, charges, roomsLeft: price.roomsLeft, digest: price.digest },
  }
  return { kind: 'bookable', rate }
}

export type CapturedAmounts = Pick<
  RateSnapshotVM,
  'cheapestNightlyMinor' | 'totalForStayMinor' | 'currency'
> & { readonly charges: readonly CapturedCharge[] }

export function captureAmounts(price: OfferPrice): CapturedAmounts | InvalidRate {
  const { cheapestNightly, total } = price
  if (cheapestNightly.currency !== total.currency) return 'currency'
  const { currency } = total
  const nightly = exactMinor(cheapestNightly.amountMicro, currency)
  const sum = exactMinor(total.amountMicro, currency)
  const charges = captureCharges(price.charges, currency)
  if (charges === null || nightly === null || sum === null) return 'amount'
  if (nightly <= 0 || sum <= 0) return 'amount'
  return { cheapestNightlyMinor: nightly, totalForStayMinor: sum, currency, charges }
}

/** Every member is named: undeclared members of an upstream response are dropped. */
export function rateIn({ offer, ...rate }: CapturedRate, locale: Locale): RateSnapshotVM {
  const { charges, roomsLeft, digest } = offer
  const view = { charges: chargesIn(charges, locale), roomsLeft, digest }
  return { ...rate, offer: { ...termsIn(offer, locale), ...view } }
}

export type RateMember = 'rateSnapshot' | 'cheapestRateSnapshot'

/** Whether a stay can be booked and its price, as JSON members that begin with a comma. */
export function writeStayPrice(
  price: StayPrice | undefined,
  locale: Locale,
  member: RateMember = 'rateSnapshot',
): string {
  if (price === undefined) return ''
  if (price.kind === 'unbookable') {
    return `,"availability":${JSON.stringify(availabilityOf(price.reason, price.roomsLeft))}`
  }
  return `,"availability":{"bookable":true},"${member}":${JSON.stringify(rateIn(price.rate, locale))}`
}
