import { type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { idToUuid } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'

export interface InsertInput {
  readonly reservation: Reservation
  readonly caller: string
  readonly key: string
  readonly events: readonly OutboxEvent[]
}

/** The reservation, its first note and the events, in one round trip. */
export function insertReservation(input: InsertInput): Statement<{ reservation_id: string }> {
  const { reservation: r, caller, key, events } = input
  return sql<{ reservation_id: string }>`
    with events as (${appendEventsFragment(events)}),
    booked as (
      insert into sandbox.reservation_booking (tenant_id, reservation_id, code, property_id, status,
        check_in, check_out, items, total_micro, currency, guest_locale, quote_id, draft_id,
        allocation_id, digest, hold_expires_at, created_at)
      values (${idToUuid(r.tenantId)}::uuid, ${idToUuid(r.reservationId)}::uuid, ${r.code},
        ${idToUuid(r.propertyId)}::uuid, ${r.status}, ${r.stay.checkIn}::date,
        ${r.stay.checkOut}::date, ${JSON.stringify(r.items)}::jsonb,
        ${r.total.amountMicro}::bigint, ${r.total.currency}, ${r.guestLocale},
        ${r.quoteId && idToUuid(r.quoteId)}::uuid, ${r.draftId && idToUuid(r.draftId)}::uuid,
        ${idToUuid(r.allocationId)}::uuid, ${r.digest ?? null}, ${r.holdExpiresAt}::timestamptz,
        ${r.createdAt}::timestamptz)
      returning tenant_id, reservation_id, status, created_at),
    noted as (
      insert into sandbox.reservation_history (tenant_id, reservation_id, version, status, at,
        caller, call_key)
      select b.tenant_id, b.reservation_id, 1, b.status, b.created_at, ${caller}, ${key}
      from booked b)
    select reservation_id from booked`
}
