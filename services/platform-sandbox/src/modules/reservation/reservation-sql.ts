import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { idToUuid, type PaymentIntentId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type {
  Reservation,
  ReservationGuest,
  ReservationStatus,
} from '@melmastoon/upstream-contracts/reservation'
import type { ReservationRow } from './reservation.ts'

/** The columns of booking `r`, without its history. */
const bookingColumns = rawSql(`r.tenant_id, r.reservation_id, r.code, r.property_id,
  r.status, r.check_in, r.check_out, r.items, r.total_micro::text as total_micro, r.currency,
  r.guest_locale, r.quote_id, r.draft_id, r.allocation_id, r.digest, r.payment_method,
  r.payment_intent_id, r.hold_expires_at, r.hold_extensions, r.confirmed_at, r.cancelled_at,
  r.created_at, r.version`)

/** The history, oldest first, as JSON, without the entry of the current statement. */
const historyColumn = rawSql(`coalesce((
    select json_agg(json_build_object('version', h.version, 'status', h.status,
        'reason_code', h.reason_code, 'at', h.at) order by h.version)
    from sandbox.reservation_history h
    where h.tenant_id = r.tenant_id and h.reservation_id = r.reservation_id), '[]') as history`)

export function selectReservation(tenant: string, reservation: string): Statement<ReservationRow> {
  return sql<ReservationRow>`
    select ${bookingColumns}, ${historyColumn} from sandbox.reservation_booking r
    where r.tenant_id = ${tenant}::uuid and r.reservation_id = ${reservation}::uuid`
}

/** The reservation created or changed by a call with this key. Keys are scoped to the caller. */
export function selectReservationByKey(
  tenant: string,
  { caller, key }: { caller: string; key: string },
): Statement<ReservationRow> {
  return sql<ReservationRow>`
    select ${bookingColumns}, ${historyColumn} from sandbox.reservation_booking r
    where r.tenant_id = ${tenant}::uuid and r.reservation_id = (
      select c.reservation_id from sandbox.reservation_history c
      where c.tenant_id = ${tenant}::uuid and c.call_key = ${key} and c.caller = ${caller}
      order by c.at desc limit 1)`
}

interface ActiveHoldRow {
  reservation_id: string
  code: string
  hold_expires_at: Date
}

export function selectActiveHolds(property: string, rows: number): Statement<ActiveHoldRow> {
  return sql<ActiveHoldRow>`
    select reservation_id, code, hold_expires_at from sandbox.reservation_booking
    where property_id = ${property}::uuid and status = 'held' and hold_expires_at > now()
    order by created_at desc, reservation_id limit ${rows}`
}

export interface InsertInput {
  readonly reservation: Reservation
  readonly caller: string
  readonly key: string
  readonly events: readonly OutboxEvent[]
  readonly party: { readonly adults: number; readonly children: number }
}

/** The reservation, its first history entry and the events, in one round trip. */
export function insertReservation(input: InsertInput): Statement<{ reservation_id: string }> {
  const { reservation: r, caller, key, events, party } = input
  return sql<{ reservation_id: string }>`
    with events as (${appendEventsFragment(events)}),
    booked as (
      insert into sandbox.reservation_booking (tenant_id, reservation_id, code, property_id, status,
        check_in, check_out, items, total_micro, currency, guest_locale, quote_id, draft_id,
        allocation_id, digest, hold_expires_at, created_at, adults, children)
      values (${idToUuid(r.tenantId)}::uuid, ${idToUuid(r.reservationId)}::uuid, ${r.code},
        ${idToUuid(r.propertyId)}::uuid, ${r.status}, ${r.stay.checkIn}::date,
        ${r.stay.checkOut}::date, ${JSON.stringify(r.items)}::jsonb,
        ${r.total.amountMicro}::bigint, ${r.total.currency}, ${r.guestLocale},
        ${r.quoteId && idToUuid(r.quoteId)}::uuid, ${r.draftId && idToUuid(r.draftId)}::uuid,
        ${idToUuid(r.allocationId)}::uuid, ${r.digest ?? null}, ${r.holdExpiresAt}::timestamptz,
        ${r.createdAt}::timestamptz, ${party.adults}::int, ${party.children}::int)
      returning tenant_id, reservation_id, status, created_at),
    noted as (
      insert into sandbox.reservation_history (tenant_id, reservation_id, version, status, at,
        caller, call_key)
      select b.tenant_id, b.reservation_id, 1, b.status, b.created_at, ${caller}, ${key}
      from booked b)
    select reservation_id from booked`
}

export interface MoveInput {
  readonly tenant: string
  readonly reservation: string
  readonly from: ReservationStatus
  readonly to: ReservationStatus
  /** The current allocation, in this transaction. */
  readonly allocation: Allocation
  readonly reasonCode?: string
  readonly caller: string
  readonly key: string
  readonly payment?: { readonly method: string; readonly paymentIntentId?: PaymentIntentId }
  readonly guest?: ReservationGuest
  /** The new price. */
  readonly quote?: Pick<Quote, 'quoteId' | 'digest' | 'total'>
  /** Only if the reservation still has this digest. */
  readonly expectedDigest?: string
}

/** The row after the change; `noted_at` is its time, not yet in `history`. */
export type MovedRow = ReservationRow & { noted_at: Date }

/**
 * Requires the lock of its allocation, which serializes changes; the status is compared
 * nevertheless. No row: it is not in that status, or has another digest.
 */
export function moveReservation(input: MoveInput): Statement<MovedRow> {
  const { allocation, payment, quote, expectedDigest = null } = input
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
        quote_id = coalesce(${quote ? idToUuid(quote.quoteId) : null}::uuid, b.quote_id),
        digest = coalesce(${quote?.digest ?? null}, b.digest),
        total_micro = coalesce(${quote?.total.amountMicro ?? null}::bigint, b.total_micro),
        currency = coalesce(${quote?.total.currency ?? null}, b.currency),
        confirmed_at = case when ${input.to} = 'confirmed' then clock_timestamp()
          else b.confirmed_at end,
        cancelled_at = case when ${input.to} = 'cancelled' then clock_timestamp()
          else b.cancelled_at end
      where b.tenant_id = ${input.tenant}::uuid
        and b.reservation_id = ${input.reservation}::uuid and b.status = ${input.from}
        and b.digest is not distinct from coalesce(${expectedDigest}, b.digest)
      returning b.*),
    noted as (
      insert into sandbox.reservation_history (tenant_id, reservation_id, version, status,
        reason_code, caller, call_key)
      select tenant_id, reservation_id, version, status, ${input.reasonCode ?? null},
        ${input.caller}, ${input.key}
      from moved
      returning at),
    guest as (${storeGuest(input.guest)})
    select ${bookingColumns}, ${historyColumn}, n.at as noted_at
    from moved r cross join noted n`
}

function storeGuest(guest: ReservationGuest | undefined): SqlFragment {
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

export interface ExpiredReservation {
  tenant_id: string
  reservation_id: string
  property_id: string
  at: Date
}

/** Only in the transaction that expired these allocations. */
export function expireReservations(
  tenants: readonly string[],
  allocations: readonly string[],
): Statement<ExpiredReservation> {
  return sql<ExpiredReservation>`
    with expired as (
      update sandbox.reservation_booking r
      set status = 'expired_hold', version = r.version + 1
      from unnest(${tenants}::uuid[], ${allocations}::uuid[]) as e (tenant_id, allocation_id)
      where r.tenant_id = e.tenant_id and r.allocation_id = e.allocation_id and r.status = 'held'
      returning r.tenant_id, r.reservation_id, r.property_id, r.version),
    noted as (
      insert into sandbox.reservation_history (tenant_id, reservation_id, version, status)
      select tenant_id, reservation_id, version, 'expired_hold' from expired
      returning tenant_id, reservation_id, at)
    select e.tenant_id, e.reservation_id, e.property_id, n.at
    from expired e join noted n using (tenant_id, reservation_id)
    order by e.tenant_id, e.reservation_id`
}
