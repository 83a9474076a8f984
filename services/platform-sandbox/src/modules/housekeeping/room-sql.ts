import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import type { RoomCondition, RoomFlag } from '@melmastoon/upstream-contracts/housekeeping'
import type { RoomDetailRow, RoomRow, RoomStateRow } from './room.ts'

/** The columns of room `r`. */
const stateColumns = rawSql(`r.room_id, r.property_id, r.condition, r.occupied_by, r.occupied_on,
  r.flags, r.discrepancy, r.version, r.updated_at`)

/** The most urgent open task, otherwise the last completed one of a room that is not inspected. */
const taskColumn = rawSql(`(
    select json_build_object('task_id', t.task_id, 'kind', t.kind, 'priority', t.priority,
      'status', t.status, 'version', t.version)
    from sandbox.housekeeping_task t
    where t.tenant_id = r.tenant_id and t.room_id = r.room_id
      and (t.status in ('pending', 'in_progress')
        or (t.status = 'completed' and r.condition = 'clean'))
    order by array_position(array['in_progress', 'pending', 'completed'], t.status),
      array_position(array['urgent', 'high', 'normal', 'low'], t.priority), t.updated_at desc
    limit 1) as task`)

const HISTORY_MAX = 1_000

const historyColumn = rawSql(`coalesce((
    select json_agg(h order by h.version) from (
      select version, status, at, operator_id, causation_id
      from sandbox.housekeeping_room_history
      where tenant_id = r.tenant_id and room_id = r.room_id
      order by version desc limit ${HISTORY_MAX}) h), '[]') as history`)

export function selectRoomsOf(tenant: string, property: string): Statement<RoomRow> {
  return sql<RoomRow>`
    select ${stateColumns}, ${taskColumn} from sandbox.housekeeping_room r
    where r.tenant_id = ${tenant}::uuid and r.property_id = ${property}::uuid`
}

export interface RoomKey {
  readonly tenant: string
  readonly room: string
}

export function selectRoomState(key: RoomKey): Statement<RoomDetailRow> {
  return sql<RoomDetailRow>`
    select ${stateColumns}, ${taskColumn}, ${historyColumn} from sandbox.housekeeping_room r
    where r.tenant_id = ${key.tenant}::uuid and r.room_id = ${key.room}::uuid`
}

/** A room has a row from its first change on. */
export function insertRoom({ tenant, room }: RoomKey, property: string): Statement<unknown> {
  return sql`
    with added as (
      insert into sandbox.housekeeping_room (tenant_id, room_id, property_id)
      values (${tenant}::uuid, ${room}::uuid, ${property}::uuid)
      on conflict do nothing
      returning tenant_id, room_id, version, condition)
    insert into sandbox.housekeeping_room_history (tenant_id, room_id, version, status)
    select tenant_id, room_id, version, condition from added`
}

/** Serializes the changes of a room and of its tasks. */
export function lockRoom(key: RoomKey): Statement<RoomStateRow> {
  return sql<RoomStateRow>`
    select ${stateColumns} from sandbox.housekeeping_room r
    where r.tenant_id = ${key.tenant}::uuid and r.room_id = ${key.room}::uuid
    for update`
}

export interface RoomUpdate extends RoomKey {
  readonly condition: RoomCondition
  readonly occupied: { readonly by: string; readonly on: IsoDate } | null
  readonly flags: readonly RoomFlag[]
  readonly discrepancy: boolean
  readonly operator: string | null
  readonly causationId: string | null
}

/** Requires the lock of `lockRoom`. */
export function updateRoom(change: RoomUpdate): Statement<RoomStateRow> {
  const { occupied } = change
  return sql<RoomStateRow>`
    with changed as (
      update sandbox.housekeeping_room h
      set condition = ${change.condition}, occupied_by = ${occupied && occupied.by}::uuid,
        occupied_on = ${occupied && occupied.on}::date, flags = ${change.flags}::text[],
        discrepancy = ${change.discrepancy}, version = h.version + 1,
        updated_at = clock_timestamp(),
        seeded_on = case when h.occupied_by is not distinct from ${occupied && occupied.by}::uuid
          then h.seeded_on end
      where h.tenant_id = ${change.tenant}::uuid and h.room_id = ${change.room}::uuid
      returning h.*),
    noted as (
      insert into sandbox.housekeeping_room_history
        (tenant_id, room_id, version, status, operator_id, causation_id)
      select tenant_id, room_id, version, condition, ${change.operator}::uuid,
        ${change.causationId}
      from changed)
    select ${stateColumns} from changed r`
}

/** Of these rooms those that no guest can move into now. */
export function selectNotReady(
  tenant: string,
  rooms: readonly string[],
): Statement<{ room_id: string }> {
  return sql<{ room_id: string }>`
    select room_id from sandbox.housekeeping_room
    where tenant_id = ${tenant}::uuid and room_id = any (${rooms}::uuid[])
      and (condition in ('dirty', 'cleaning') or occupied_by is not null
        or flags && array['out_of_order', 'out_of_service'])`
}
