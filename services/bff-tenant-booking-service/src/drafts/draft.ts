import {
  type BookingSessionId,
  type CurrencyCode,
  type DraftId,
  type HandoffArrivalId,
  type IsoDateTime,
  isTimeZone,
  type Locale,
  type PropertyId,
  type QuoteId,
  type RatePlanId,
  type ReservationId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { MarketingAttribution } from '@melmastoon/events'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { DEVICE_CLASSES } from '../events/fields.ts'
import { type CancellationVM, describeCancellation } from '../properties/cancellation-terms.ts'
import type { DraftEvent, DraftState } from './draft-states.ts'

/** Without an action of the guest a draft ends this long after the last one (D11). */
export const DRAFT_LIFETIME_MINUTES = 30
/** Reservation-service allows twelve: ten for the guest, two for the service (D11, WCAG 2.2.1). */
export const GUEST_EXTENSIONS_MAX = 10
export const SERVICE_EXTENSIONS_MAX = 2
/** Both trails are kept small; a draft that reaches the bound drops the oldest entry. */
export const TRAIL_MAX = 50

/** The offer the guest agreed to. The digest identifies its price and conditions. */
export interface Terms {
  readonly quoteId: QuoteId
  readonly digest: string
  readonly propertyId: PropertyId
  readonly ratePlanId: RatePlanId
  readonly ratePlanCode: string
  readonly stay: Quote['stay']
  readonly occupancy: Quote['occupancy']
  readonly rooms: Quote['rooms']
  readonly total: Quote['total']
  readonly displayTotal: Quote['total'] | null
  readonly cancellation: CancellationVM
  readonly promoCode: string | null
  readonly quoteExpiresAt: IsoDateTime
}

/** Where the booking came from, fixed when the draft was created. */
export interface DraftOrigin {
  readonly locale: Locale
  readonly currency: CurrencyCode
  readonly deviceClass: (typeof DEVICE_CLASSES)[number]
  readonly consentTelemetry: boolean
  readonly attribution: MarketingAttribution | null
  readonly handoffArrivalId: HandoffArrivalId | null
}

export interface HistoryEntry {
  readonly event: DraftEvent
  readonly from: DraftState
  readonly to: DraftState
  readonly at: IsoDateTime
}

export interface ErrorEntry {
  readonly code: string
  readonly atState: DraftState
  readonly upstream: string | null
  readonly at: IsoDateTime
}

/** Why and how a draft ended. */
export interface DraftOutcome {
  /** `confirmed`, `abandoned`, `deleted`, or the reason of a release: `sold_out`, … */
  readonly reason: string
  readonly refunded: Quote['total'] | null
  readonly paymentMethod: string | null
  readonly paymentProvider: string | null
}

export interface Draft {
  readonly id: DraftId
  readonly tenantId: TenantId
  readonly sessionId: BookingSessionId
  readonly version: number
  readonly state: DraftState
  readonly reservationId: ReservationId
  readonly reservationCode: string
  readonly terms: Terms
  readonly changedTerms: Terms | null
  readonly holdExpiresAt: IsoDateTime
  readonly holdNo: number
  readonly guestExtensions: number
  readonly serviceExtensions: number
  /** Sealed guest details; null until they are saved. */
  readonly guest: Buffer | null
  readonly guestEmailHash: string | null
  readonly guestPhoneHash: string | null
  readonly origin: DraftOrigin
  readonly history: readonly HistoryEntry[]
  readonly errors: readonly ErrorEntry[]
  readonly outcome: DraftOutcome | null
  readonly createdAt: IsoDateTime
  readonly lastActivityAt: IsoDateTime
  readonly expiresAt: IsoDateTime
}

export function termsOf(quote: Quote): Terms {
  return {
    quoteId: quote.quoteId,
    digest: quote.digest,
    propertyId: quote.propertyId,
    ratePlanId: quote.ratePlanId,
    ratePlanCode: quote.ratePlanCode,
    stay: quote.stay,
    occupancy: quote.occupancy,
    rooms: quote.rooms,
    total: quote.total,
    displayTotal: quote.displayTotal ?? null,
    cancellation: cancellationOf(quote),
    promoCode: quote.promoCode ?? null,
    quoteExpiresAt: quote.expiresAt,
  }
}

/** Without the time zone of the hotel the deadline is not known. */
function cancellationOf({ cancellation, stay, timeZone }: Quote): CancellationVM {
  if (timeZone === undefined || !isTimeZone(timeZone)) return cancellation
  return describeCancellation(cancellation, stay.checkIn, timeZone)
}

/** An extension that is repeated returns an earlier end than the one that is known. */
export function laterHold(draft: Draft, extendedTo: IsoDateTime | undefined): IsoDateTime {
  const { holdExpiresAt } = draft
  if (extendedTo === undefined) return holdExpiresAt
  return Date.parse(extendedTo) > Date.parse(holdExpiresAt) ? extendedTo : holdExpiresAt
}

export function withError(draft: Draft, entry: ErrorEntry): Draft {
  return { ...draft, errors: [...draft.errors, entry].slice(-TRAIL_MAX) }
}

/** The draft after an action of the guest, as `saveDraft` with `touches` writes it. */
export function touched(draft: Draft, now: Date): Draft {
  return {
    ...draft,
    lastActivityAt: toIsoDateTime(now),
    expiresAt: toIsoDateTime(new Date(now.getTime() + DRAFT_LIFETIME_MINUTES * 60_000)),
  }
}
