import {
  type CurrencyCode,
  type IsoDate,
  type Locale,
  type RoomTypeId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type {
  Reservation,
  ReservationStatus,
  reservationContract,
} from '@melmastoon/upstream-contracts/reservation'

export type ReservationOperations = typeof reservationContract.operations

export interface HistoryRow {
  version: number
  status: ReservationStatus
  reason_code: string | null
  /** ISO with an offset, because it comes from JSON. */
  at: string
}

export interface ReservationRow {
  tenant_id: string
  reservation_id: string
  code: string
  property_id: string
  status: ReservationStatus
  check_in: IsoDate
  check_out: IsoDate
  items: { roomTypeId: RoomTypeId; rooms: number }[]
  total_micro: string
  currency: CurrencyCode
  guest_locale: Locale
  quote_id: string | null
  draft_id: string | null
  allocation_id: string
  digest: string | null
  payment_method: string | null
  payment_intent_id: string | null
  hold_expires_at: Date | null
  hold_extensions: number
  confirmed_at: Date | null
  cancelled_at: Date | null
  created_at: Date
  version: number
  history: HistoryRow[]
}

export function toReservation(row: ReservationRow): Reservation {
  return {
    reservationId: uuidToId('rsv', row.reservation_id),
    code: row.code,
    tenantId: uuidToId('tnt', row.tenant_id),
    propertyId: uuidToId('ppt', row.property_id),
    status: row.status,
    stay: { checkIn: row.check_in, checkOut: row.check_out },
    items: row.items,
    total: { amountMicro: row.total_micro, currency: row.currency },
    guestLocale: row.guest_locale,
    ...(row.quote_id !== null && { quoteId: uuidToId('qte', row.quote_id) }),
    ...(row.draft_id !== null && { draftId: uuidToId('bdr', row.draft_id) }),
    allocationId: uuidToId('inv', row.allocation_id),
    ...(row.digest !== null && { digest: row.digest }),
    ...(row.payment_method !== null && { payment: paymentOf(row, row.payment_method) }),
    ...(row.hold_expires_at !== null && { holdExpiresAt: toIsoDateTime(row.hold_expires_at) }),
    holdExtensions: row.hold_extensions,
    ...(row.confirmed_at !== null && { confirmedAt: toIsoDateTime(row.confirmed_at) }),
    ...(row.cancelled_at !== null && { cancelledAt: toIsoDateTime(row.cancelled_at) }),
    createdAt: toIsoDateTime(row.created_at),
    version: row.version,
    history: row.history.map(toHistory),
  }
}

function paymentOf({ payment_intent_id: intent }: ReservationRow, method: string) {
  return { method, ...(intent !== null && { paymentIntentId: uuidToId('pyi', intent) }) }
}

function toHistory({
  version,
  status,
  at,
  reason_code,
}: HistoryRow): Reservation['history'][number] {
  const entry = { version, status, at: toIsoDateTime(new Date(at)) }
  return reason_code === null ? entry : { ...entry, reasonCode: reason_code }
}
