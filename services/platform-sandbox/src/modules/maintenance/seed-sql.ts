import { type Statement, sql } from '@melmastoon/chassis/db'

/** A work order of the demo world as one JSON object. */
export interface SeededOrder {
  readonly tenant_id: string
  readonly work_order_id: string
  readonly property_id: string
  readonly room_id: string | null
  readonly room_number: string | null
  readonly category: string
  readonly severity: string
  readonly status: string
  readonly title: string
  readonly source: string
  readonly blocks_room: boolean
  readonly hours_ago: number
}

/** Existing orders stay unchanged. */
export function seedWorkOrders(orders: readonly SeededOrder[]): Statement<unknown> {
  return sql`
    with given as materialized (
      select s.*, clock_timestamp() - make_interval(hours => s.hours_ago) as at
      from json_to_recordset(${JSON.stringify(orders)}::json) as s (tenant_id uuid,
        work_order_id uuid, property_id uuid, room_id uuid, room_number text, category text,
        severity text, status text, title text, source text, blocks_room boolean,
        hours_ago int)),
    added as (
      insert into sandbox.maintenance_work_order (tenant_id, work_order_id, property_id, room_id,
        room_number, category, severity, status, title, source, blocks_room, created_at,
        updated_at, resolved_at, verified_at)
      select tenant_id, work_order_id, property_id, room_id, room_number, category, severity,
        status, title, source, blocks_room, at, at,
        case when status in ('resolved', 'verified') then at end,
        case when status = 'verified' then at end
      from given
      on conflict do nothing
      returning tenant_id, work_order_id, version, status, created_at)
    insert into sandbox.maintenance_work_order_history
      (tenant_id, work_order_id, version, status, at)
    select tenant_id, work_order_id, version, status, created_at from added`
}

/** Blocking orders of an earlier day of the demo world are done; those by staff stay. */
export function closeSeededBlocks(orders: readonly SeededOrder[]): Statement<unknown> {
  const ids = orders.map((order) => order.work_order_id)
  return sql`
    with closed as (
      update sandbox.maintenance_work_order o
      set status = 'verified', version = o.version + 1, updated_at = clock_timestamp(),
        resolved_at = clock_timestamp(), verified_at = clock_timestamp()
      where o.blocks_room and o.reported_by is null and o.status not in ('verified', 'cancelled')
        and not o.work_order_id = any (${ids}::uuid[])
      returning o.tenant_id, o.work_order_id, o.version, o.status)
    insert into sandbox.maintenance_work_order_history
      (tenant_id, work_order_id, version, status)
    select tenant_id, work_order_id, version, status from closed`
}
