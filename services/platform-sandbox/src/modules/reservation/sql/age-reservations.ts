import { type Statement, sql } from '@melmastoon/chassis/db'

/** Stays of the demo world and what has become of them, as columns of equal length. */
export interface AgedColumns {
  readonly tenants: readonly string[]
  readonly reservations: readonly string[]
  readonly statuses: readonly string[]
}

/**
 * Guests have come, gone or stayed away since the stay was written down. Only forwards: what was
 * cancelled, or is further than that, stays as it is.
 */
export function ageReservations(stays: AgedColumns): Statement<unknown> {
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
