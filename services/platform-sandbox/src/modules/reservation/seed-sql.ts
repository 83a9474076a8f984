import { type Statement, sql } from '@melmastoon/chassis/db'

/** A stay of the demo world as one JSON object; its allocation id has the same bits. */
export interface SeededStay {
  readonly tenant_id: string
  readonly reservation_id: string
  readonly code: string
  readonly property_id: string
  readonly status: string
  readonly check_in: string
  readonly check_out: string
  readonly booked_at: string
  readonly items: readonly { readonly roomTypeId: string; readonly rooms: number }[]
  readonly total_micro: string
  readonly currency: string
  readonly guest_locale: string
  readonly guest_name: string
  readonly adults: number
  readonly children: number
  readonly arrival_time: string | null
  readonly special_requests: string | null
}

/** Returns the stays that did not exist. */
export function seedReservations(
  stays: readonly SeededStay[],
): Statement<{ reservation_id: string }> {
  return sql<{ reservation_id: string }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(stays)}::json) as s (tenant_id uuid,
        reservation_id uuid, code text, property_id uuid, status text, check_in date,
        check_out date, booked_at timestamptz, items jsonb, total_micro bigint, currency text, guest_locale text,
        guest_name text, adults int, children int, arrival_time text, special_requests text)),
    booked as (
      insert into sandbox.reservation_booking (tenant_id, reservation_id, code, property_id, status,
        check_in, check_out, items, total_micro, currency, guest_locale, allocation_id,
        payment_method, created_at, confirmed_at, cancelled_at, adults, children)
      select tenant_id, reservation_id, code, property_id, status, check_in, check_out, items,
        total_micro, currency, guest_locale, reservation_id, 'cash_on_arrival', booked_at, booked_at,
        case when status = 'cancelled' then clock_timestamp() end, adults, children
      from given
      on conflict do nothing
      returning tenant_id, reservation_id, status),
    noted as (
      insert into sandbox.reservation_history (tenant_id, reservation_id, version, status)
      select tenant_id, reservation_id, 1, status from booked)
    insert into sandbox.reservation_guest (tenant_id, reservation_id, full_name, arrival_time,
      special_requests)
    select b.tenant_id, b.reservation_id, g.guest_name, g.arrival_time, g.special_requests
    from booked b join given g using (tenant_id, reservation_id)
    returning reservation_id`
}

/** Stays of the demo world with their current status, as columns of equal length. */
export interface StayStatusColumns {
  readonly tenants: readonly string[]
  readonly reservations: readonly string[]
  readonly statuses: readonly string[]
}

/**
 * Advances the status of stays since they were seeded (checked in, checked out, no-show). Only
 * forward: cancelled or further advanced stays stay unchanged.
 */
export function advanceReservations(stays: StayStatusColumns): Statement<unknown> {
  return sql`
    with moved as (
      update sandbox.reservation_booking b set status = g.status, version = b.version + 1
      from unnest(${stays.tenants}::uuid[], ${stays.reservations}::uuid[],
        ${stays.statuses}::text[]) as g (tenant_id, reservation_id, status)
      where b.tenant_id = g.tenant_id and b.reservation_id = g.reservation_id
        and (b.status, g.status) in (
          ('confirmed', 'in_house'), ('confirmed', 'checked_out'), ('confirmed', 'no_show'),
          ('checked_in', 'in_house'), ('checked_in', 'checked_out'), ('in_house', 'checked_out'))
      returning b.tenant_id, b.reservation_id, b.version, b.status)
    insert into sandbox.reservation_history (tenant_id, reservation_id, version, status)
    select tenant_id, reservation_id, version, status from moved`
}
