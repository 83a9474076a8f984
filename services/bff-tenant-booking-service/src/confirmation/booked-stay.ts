import type {
  IsoDateTime,
  PaymentIntentId,
  PropertyId,
  QuoteId,
  RoomTypeId,
} from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { Reservation, ReservationStatus } from '@melmastoon/upstream-contracts/reservation'
import type { Draft } from '../drafts/draft.ts'

/** What a confirmation needs of the draft that became the reservation. */
export type BookedDraft = Pick<
  Draft,
  | 'id'
  | 'tenantId'
  | 'sessionId'
  | 'state'
  | 'reservationCode'
  | 'terms'
  | 'guest'
  | 'history'
  | 'outcome'
>

/** A confirmed stay. Contains no personal data. */
export interface BookedStay {
  readonly code: string
  readonly status: ReservationStatus
  /** Incremented with every change of the reservation. */
  readonly version: number
  readonly confirmedAt: IsoDateTime
  readonly cancelledAt: IsoDateTime | null
  readonly propertyId: PropertyId
  readonly stay: Quote['stay']
  readonly rooms: readonly { readonly roomTypeId: RoomTypeId; readonly rooms: number }[]
  readonly total: Quote['total']
  readonly quoteId: QuoteId | null
  readonly digest: string | null
  readonly paymentMethod: string | null
  readonly paymentIntentId: PaymentIntentId | null
}

/** Null for a reservation that was never confirmed: a hold has no confirmation. */
export function stayOfReservation(reservation: Reservation): BookedStay | null {
  const { confirmedAt, payment, items } = reservation
  if (confirmedAt === undefined) return null
  return {
    code: reservation.code,
    status: reservation.status,
    version: reservation.version,
    confirmedAt,
    cancelledAt: reservation.cancelledAt ?? null,
    propertyId: reservation.propertyId,
    stay: reservation.stay,
    rooms: items.map(({ roomTypeId, rooms }) => ({ roomTypeId, rooms })),
    total: reservation.total,
    quoteId: reservation.quoteId ?? null,
    digest: reservation.digest ?? null,
    paymentMethod: payment?.method ?? null,
    paymentIntentId: payment?.paymentIntentId ?? null,
  }
}

/**
 * From our own record while the reservation service does not respond: a guest who has just paid
 * sees the booking. Null unless the draft is confirmed.
 */
export function stayOfDraft(draft: BookedDraft): BookedStay | null {
  const { terms, history, outcome, reservationCode } = draft
  const confirmed = history.findLast(({ to }) => to === 'confirmed')
  if (draft.state !== 'confirmed' || confirmed === undefined) return null
  return {
    code: reservationCode,
    status: 'confirmed',
    version: 1,
    confirmedAt: confirmed.at,
    cancelledAt: null,
    propertyId: terms.propertyId,
    stay: terms.stay,
    rooms: terms.rooms.map(({ roomTypeId, quantity }) => ({ roomTypeId, rooms: quantity })),
    total: terms.total,
    quoteId: terms.quoteId,
    digest: terms.digest,
    paymentMethod: outcome?.paymentMethod ?? null,
    paymentIntentId: null,
  }
}
