import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid, type PaymentIntentId } from '@melmastoon/domain'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type {
  ReservationGuest,
  ReservationStatus,
} from '@melmastoon/upstream-contracts/reservation'
import type { ReservationRow } from '../reservation.ts'
import { bookingColumns, historyColumn } from './reservation-columns.ts'

export interface MoveInput {
  readonly tenant: string
  readonly reservation: string
  readonly from: ReservationStatus
  readonly to: ReservationStatus
  /** The rooms as they are now, in this transaction. */
  readonly allocation: Allocation
  readonly reasonCode?: string
  readonly caller: string
  readonly key: string
  readonly payment?: { readonly method: string; readonly paymentIntentId?: PaymentIntentId }
  readonly guest?: ReservationGuest
}

/** The row after the move; `noted_at` is when, and not yet in `history`. */
export type MovedRow = ReservationRow & { noted_at: Date }

/**
 * Only under the lock of its allocation, which settles who moves first; the status is compared all
 * the same. No row: it is not in that status.
 */
export function moveReservation(input: MoveInput): Statement<MovedRow> {
  const { allocation, payment } = input
  const intent = payment?.paymentIntentId
  return sql<MovedRow>`
    with moved as (
      update sandbox.reservation_booking b
      set status = ${input.to}, version = b.version + 1,
        allocation_id = ${idToUuid(allocation.allocationId)}::uuid,
        hold_expires_at = ${allocation.expiresAt}::timestamptz,
        hold_extensions = ${allocation.extensions}::int,
        payment_method = coalesce(${payment?.method ?? null}, b.payment_method),
        payment_intent_id = coalesce(${intent ? idToUuid(intent) : null}::uuid,
          b.payment_intent_id),
        confirmed_at = case when ${input.to} = 'confirmed' then clock_timestamp()
          else b.confirmed_at end,
        cancelled_at = case when ${input.to} = 'cancelled' then clock_timestamp()
          else b.cancelled_at end
      where b.tenant_id = ${input.tenant}::uuid
        and b.reservation_id = ${input.reservation}::uuid and b.status = ${input.from}
      returning b.*),
    noted as (
      insert into sandbox.reservation_history (tenant_id, reservation_id, version, status,
        reason_code, caller, call_key)
      select tenant_id, reservation_id, version, status, ${input.reasonCode ?? null},
        ${input.caller}, ${input.key}
      from moved
      returning at),
    guest as (${keepGuest(input.guest)})
    select ${bookingColumns}, ${historyColumn}, n.at as noted_at
    from moved r cross join noted n`
}

function keepGuest(guest: ReservationGuest | undefined): SqlFragment {
  if (guest === undefined) return sql`select`
  const { fullName, email, phone = null, arrivalTime = null, specialRequests = null } = guest
  return sql`insert into sandbox.reservation_guest as g (tenant_id, reservation_id, full_name,
      email, phone, arrival_time, special_requests)
    select tenant_id, reservation_id, ${fullName}, ${email}, ${phone}, ${arrivalTime},
      ${specialRequests}
    from moved
    on conflict (tenant_id, reservation_id) do update set full_name = excluded.full_name,
      email = excluded.email, phone = excluded.phone, arrival_time = excluded.arrival_time,
      special_requests = excluded.special_requests`
}
