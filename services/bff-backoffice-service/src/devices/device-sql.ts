import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import {
  type DeviceId,
  type Id,
  idToUuid,
  type OperatorId,
  type PropertyId,
  type TenantId,
} from '@melmastoon/domain'

export type DeviceStatus = 'online' | 'offline'

/** A device without a heartbeat for this long is offline. */
const OFFLINE_AFTER_MINUTES = 5

export interface DeviceRow {
  readonly device_id: string
  readonly property_id: string | null
  readonly operator_id: string | null
  readonly last_heartbeat_at: Date | null
  readonly last_sync_handshake_at: Date | null
  readonly cursor_version: number
  readonly app_version: string | null
  readonly app_platform: string | null
  readonly installer_channel: string
  readonly network_profile: string | null
  /** As it is now; the column changes when the sweep has announced it. */
  readonly current_status: DeviceStatus
  readonly pending_hints: readonly unknown[]
}

export interface HeartbeatRow {
  readonly tenantId: TenantId
  readonly deviceId: DeviceId
  readonly operatorId: OperatorId
  readonly propertyId: PropertyId | null
  readonly appVersion: string
  readonly appPlatform: string
  readonly installerChannel: string | null
  readonly networkProfile: string | null
}

export interface HeartbeatResult {
  readonly status: DeviceStatus
  readonly now: Date
  readonly cursor_version: number
  readonly pending_hints: readonly unknown[]
}

/** The status stays as it is: only the sweep changes it, because a change has an alert. */
export function upsertHeartbeat(row: HeartbeatRow): Statement<HeartbeatResult> {
  return sql<HeartbeatResult>`
    insert into device_sync_status as d (tenant_id, device_id, property_id, operator_id,
      last_heartbeat_at, app_version, app_platform, installer_channel, network_profile)
    values (${idToUuid(row.tenantId)}::uuid, ${row.deviceId}, ${uuidOrNull(row.propertyId)}::uuid,
      ${row.operatorId}, now(), ${row.appVersion}, ${row.appPlatform},
      coalesce(${row.installerChannel}::text, 'stable'), ${row.networkProfile})
    on conflict (tenant_id, device_id) do update set
      property_id = coalesce(excluded.property_id, d.property_id),
      operator_id = excluded.operator_id, last_heartbeat_at = now(),
      app_version = excluded.app_version, app_platform = excluded.app_platform,
      installer_channel = coalesce(${row.installerChannel}::text, d.installer_channel),
      network_profile = excluded.network_profile, updated_at = now()
    returning d.status, now() as now, d.cursor_version, d.pending_hints`
}

const uuidOrNull = (id: Id | null) => (id === null ? null : idToUuid(id))

export function selectDevices(deviceIds: readonly DeviceId[]): Statement<DeviceRow> {
  return sql<DeviceRow>`select device_id, property_id, operator_id, last_heartbeat_at,
      last_sync_handshake_at, cursor_version, app_version, app_platform, installer_channel,
      network_profile, pending_hints,
      case when last_heartbeat_at >= now() - make_interval(mins => ${OFFLINE_AFTER_MINUTES}::int)
        then 'online' else 'offline' end as current_status
    from device_sync_status where device_id = any (${deviceIds}::text[])`
}

/** The operators whose devices were last in use at one of the properties. */
export function operatorsAt(properties: readonly PropertyId[]): SqlFragment {
  const ids = properties.map((id) => idToUuid(id))
  return sql`select operator_id from device_sync_status where property_id = any (${ids}::uuid[])`
}

export interface ChangedDevice {
  readonly id: string
  readonly tenant_id: string
  readonly device_id: string
  readonly property_id: string | null
  readonly last_heartbeat_at: Date
  /** Other than the column says. */
  readonly new_status: DeviceStatus
}

const NEW_STATUS = sql`case
  when status = 'online'
    and last_heartbeat_at < now() - make_interval(mins => ${OFFLINE_AFTER_MINUTES}::int)
  then 'offline'
  when status = 'offline'
    and last_heartbeat_at >= now() - make_interval(mins => ${OFFLINE_AFTER_MINUTES}::int)
  then 'online' end`

/** Devices of all tenants whose status is no longer true, or one of them. */
export function selectChangedDevices(
  limit: number,
  { after, deviceId = null }: { readonly after: string; readonly deviceId?: DeviceId | null },
): Statement<ChangedDevice> {
  return sql<ChangedDevice>`
    select id, tenant_id, device_id, property_id, last_heartbeat_at, ${NEW_STATUS} as new_status
    from device_sync_status
    where id > ${after}::uuid and (${deviceId}::text is null or device_id = ${deviceId})
      and ${NEW_STATUS} is not null
    order by id limit ${limit}::int`
}

/**
 * All in one statement. A device that has changed again since it was read is left out, also by the
 * run that waited for its lock: the condition names the locked row, not a subquery.
 */
export function updateStatuses(
  devices: readonly ChangedDevice[],
): Statement<Pick<ChangedDevice, 'id'>> {
  return sql<Pick<ChangedDevice, 'id'>>`
    update device_sync_status d set status = c.new_status, updated_at = now()
    from unnest(${devices.map(({ id }) => id)}::uuid[],
      ${devices.map(({ new_status }) => new_status)}::text[]) as c (id, new_status)
    where d.id = c.id and c.new_status = ${NEW_STATUS}
    returning d.id`
}

/** Of all tenants. A device that has never sent a heartbeat has no status. */
export function countStatuses(): Statement<Record<DeviceStatus, number>> {
  return sql<Record<DeviceStatus, number>>`
    select count(*) filter (where status = 'online')::int as online,
      count(*) filter (where status = 'offline')::int as offline
    from device_sync_status where last_heartbeat_at is not null`
}

export interface HintRow {
  readonly id: Id<'oaq'>
  readonly tenantId: TenantId
  readonly deviceId: DeviceId
  readonly operatorId: OperatorId
  readonly appVersion: string
  readonly payload: { readonly actions: readonly unknown[] }
}

/** Kept for seven days, and as what the fleet view shows about the device. */
export function insertHint(row: HintRow): Statement<{ reported_at: Date }> {
  return sql<{ reported_at: Date }>`with hint as (
      insert into offline_action_queue_hints (id, tenant_id, device_id, operator_id, payload,
        app_version)
      values (${idToUuid(row.id)}::uuid, ${idToUuid(row.tenantId)}::uuid, ${row.deviceId},
        ${row.operatorId}, ${JSON.stringify(row.payload)}::jsonb, ${row.appVersion})
      returning reported_at),
    shown as (
      insert into device_sync_status as d (tenant_id, device_id, operator_id, pending_hints)
      values (${idToUuid(row.tenantId)}::uuid, ${row.deviceId}, ${row.operatorId},
        ${JSON.stringify(row.payload.actions)}::jsonb)
      on conflict (tenant_id, device_id) do update
      set pending_hints = excluded.pending_hints, updated_at = now())
    select reported_at from hint`
}

/** What the sync service says about the device's cursor; never an older version. */
export function mirrorCursor(
  { tenantId, deviceId }: Pick<HeartbeatRow, 'tenantId' | 'deviceId'>,
  cursor: { pullCursor: string | null; pushAck: string | null; version: number },
): Statement<unknown> {
  return sql`insert into device_sync_status as d (tenant_id, device_id, last_pull_cursor,
      last_push_ack, cursor_version)
    values (${idToUuid(tenantId)}::uuid, ${deviceId}, ${cursor.pullCursor}, ${cursor.pushAck},
      ${cursor.version}::int)
    on conflict (tenant_id, device_id) do update set
      last_pull_cursor = excluded.last_pull_cursor, last_push_ack = excluded.last_push_ack,
      cursor_version = excluded.cursor_version, updated_at = now()
    where d.cursor_version < excluded.cursor_version`
}

/** Part of a statement that completes a request. */
export function noteHandshake({
  tenantId,
  deviceId,
  operatorId,
}: Pick<HeartbeatRow, 'tenantId' | 'deviceId' | 'operatorId'>) {
  return sql`insert into device_sync_status as d (tenant_id, device_id, operator_id,
      last_sync_handshake_at)
    select ${idToUuid(tenantId)}::uuid, ${deviceId}, ${operatorId}, now() from claimed
    on conflict (tenant_id, device_id) do update set
      last_sync_handshake_at = now(), operator_id = excluded.operator_id, updated_at = now()`
}
