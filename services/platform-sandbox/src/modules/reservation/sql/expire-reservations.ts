import { type Statement, sql } from '@melmastoon/chassis/db'

export interface ExpiredReservation {
  tenant_id: string
  reservation_id: string
  property_id: string
  at: Date
}

/** Only in the transaction that ended these allocations. */
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
