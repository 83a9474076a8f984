import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type {
  Assignee,
  WorkOrderCategory,
  WorkOrderStatus,
} from '@melmastoon/upstream-contracts/maintenance'
import type { WorkOrderDetailRow, WorkOrderRow } from './work-order.ts'

/** The columns of order `o`, without its history. */
const orderColumns = rawSql(`o.work_order_id, o.property_id, o.room_id, o.room_number, o.category,
  o.severity, o.status, o.title, o.description, o.source, o.blocks_room, o.assignee, o.reported_by,
  o.resolution, o.created_at, o.assigned_at, o.resolved_at, o.verified_at, o.version,
  o.updated_at`)

const HISTORY_MAX = 1_000

/** The newest entries, oldest first, as JSON. */
const historyColumn = rawSql(`coalesce((
    select json_agg(h order by h.version) from (
      select version, status, at, operator_id, causation_id
      from sandbox.maintenance_work_order_history
      where tenant_id = o.tenant_id and work_order_id = o.work_order_id
      order by version desc limit ${HISTORY_MAX}) h), '[]') as history`)

export interface WorkOrderKey {
  readonly tenant: string
  readonly workOrder: string
}

export function selectWorkOrder(key: WorkOrderKey): Statement<WorkOrderDetailRow> {
  return sql<WorkOrderDetailRow>`
    select ${orderColumns}, ${historyColumn} from sandbox.maintenance_work_order o
    where o.tenant_id = ${key.tenant}::uuid and o.work_order_id = ${key.workOrder}::uuid`
}

/** Serializes the changes of an order. */
export function lockWorkOrder(key: WorkOrderKey): Statement<WorkOrderRow> {
  return sql<WorkOrderRow>`
    select ${orderColumns} from sandbox.maintenance_work_order o
    where o.tenant_id = ${key.tenant}::uuid and o.work_order_id = ${key.workOrder}::uuid
    for update`
}

export interface WorkOrderPage {
  readonly tenant: string
  readonly property: string
  readonly status: WorkOrderStatus | null
  readonly active: boolean
  readonly before: string | null
  readonly rows: number
}

export function selectWorkOrders(page: WorkOrderPage): Statement<WorkOrderRow> {
  return sql<WorkOrderRow>`
    select ${orderColumns} from sandbox.maintenance_work_order o
    where o.tenant_id = ${page.tenant}::uuid and o.property_id = ${page.property}::uuid
      and (${page.status}::text is null or o.status = ${page.status})
      and (not ${page.active}::boolean or o.status not in ('verified', 'cancelled'))
      and (${page.before}::uuid is null or o.work_order_id < ${page.before}::uuid)
    order by o.work_order_id desc limit ${page.rows}`
}

interface RoomCategory {
  readonly tenant: string
  readonly property: string
  readonly room: string
  readonly category: WorkOrderCategory
}

export function selectUnresolved(wanted: RoomCategory): Statement<WorkOrderDetailRow> {
  return sql<WorkOrderDetailRow>`
    select ${orderColumns}, ${historyColumn} from sandbox.maintenance_work_order o
    where o.tenant_id = ${wanted.tenant}::uuid and o.property_id = ${wanted.property}::uuid
      and o.room_id = ${wanted.room}::uuid and o.category = ${wanted.category}
      and o.status in ('open', 'assigned', 'in_progress', 'blocked')`
}

export function selectByCausation(
  tenant: string,
  property: string,
  causationId: string,
): Statement<WorkOrderDetailRow> {
  return sql<WorkOrderDetailRow>`
    select ${orderColumns}, ${historyColumn} from sandbox.maintenance_work_order o
    where o.tenant_id = ${tenant}::uuid and o.property_id = ${property}::uuid
      and o.causation_id = ${causationId}
    order by o.work_order_id limit 1`
}

export interface NewWorkOrder extends WorkOrderKey {
  readonly property: string
  readonly room: string | null
  readonly roomNumber: string | null
  readonly category: string
  readonly severity: string
  readonly title: string
  readonly description: string | null
  readonly source: string
  readonly blocksRoom: boolean
  readonly operator: string | null
  readonly causationId: string | null
}

/** No row: the room has an unresolved order of this category. */
export function insertWorkOrder(order: NewWorkOrder): Statement<{ work_order_id: string }> {
  return sql<{ work_order_id: string }>`
    with added as (
      insert into sandbox.maintenance_work_order (tenant_id, work_order_id, property_id, room_id,
        room_number, category, severity, title, description, source, blocks_room, reported_by,
        causation_id)
      values (${order.tenant}::uuid, ${order.workOrder}::uuid, ${order.property}::uuid,
        ${order.room}::uuid, ${order.roomNumber}, ${order.category}, ${order.severity},
        ${order.title}, ${order.description}, ${order.source}, ${order.blocksRoom},
        ${order.operator}::uuid, ${order.causationId})
      on conflict do nothing
      returning tenant_id, work_order_id, version, status)
    insert into sandbox.maintenance_work_order_history
      (tenant_id, work_order_id, version, status, operator_id, causation_id)
    select tenant_id, work_order_id, version, status, ${order.operator}::uuid,
      ${order.causationId}
    from added
    returning work_order_id`
}

export interface WorkOrderMove extends WorkOrderKey {
  readonly to: WorkOrderStatus
  readonly assignee?: Assignee
  readonly resolution?: string
  readonly operator: string | null
  readonly causationId: string | null
}

/** Requires the lock of `lockWorkOrder`. Fails when a reopened order has a successor. */
export function moveWorkOrder(move: WorkOrderMove): Statement<unknown> {
  const { to, assignee = null, resolution = null } = move
  return sql`
    with moved as (
      update sandbox.maintenance_work_order o
      set status = ${to}, version = o.version + 1, updated_at = clock_timestamp(),
        assignee = coalesce(${assignee}::jsonb, o.assignee),
        resolution = coalesce(${resolution}, o.resolution),
        assigned_at = case when ${to} = 'assigned' then clock_timestamp() else o.assigned_at end,
        resolved_at = case ${to} when 'resolved' then clock_timestamp()
          when 'assigned' then null else o.resolved_at end,
        verified_at = case when ${to} = 'verified' then clock_timestamp() end
      where o.tenant_id = ${move.tenant}::uuid and o.work_order_id = ${move.workOrder}::uuid
      returning o.tenant_id, o.work_order_id, o.version, o.status)
    insert into sandbox.maintenance_work_order_history
      (tenant_id, work_order_id, version, status, operator_id, causation_id)
    select tenant_id, work_order_id, version, status, ${move.operator}::uuid, ${move.causationId}
    from moved`
}

/** One row when an order that is neither verified nor cancelled blocks the room. */
export function selectBlockingOrder(
  tenant: string,
  room: string,
): Statement<{ work_order_id: string }> {
  return sql<{ work_order_id: string }>`
    select work_order_id from sandbox.maintenance_work_order
    where tenant_id = ${tenant}::uuid and room_id = ${room}::uuid and blocks_room
      and status not in ('verified', 'cancelled')
    limit 1`
}

/** Of these rooms those that are blocked; for seeding, across tenants. */
export function selectBlockedRooms(rooms: readonly string[]): Statement<{ room_id: string }> {
  return sql<{ room_id: string }>`
    select distinct room_id from sandbox.maintenance_work_order
    where room_id = any (${rooms}::uuid[]) and blocks_room
      and status not in ('verified', 'cancelled')`
}
