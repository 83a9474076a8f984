import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Database } from '@melmastoon/chassis/db'
import type { DeviceId, PropertyId } from '@melmastoon/domain'
import type { iamContract, RegisteredDevice } from '@melmastoon/upstream-contracts/iam'
import { type Operator, requireProperty } from '../access/operator.ts'
import { type DeviceRow, type DeviceStatus, selectDevices } from './device-sql.ts'
import type { PendingAction } from './report-hints.ts'

export interface ListDevicesDeps {
  readonly db: Database
  readonly upstreams: { readonly iam: Pick<ClientOf<typeof iamContract>, 'listDevices'> }
}

export interface DeviceQuery {
  readonly propertyId: PropertyId
  readonly status?: DeviceStatus | 'never_seen' | undefined
  readonly cursor?: DeviceId | undefined
  readonly limit: number
}

export interface FleetDevice {
  readonly deviceId: DeviceId
  readonly name: string
  readonly platform: RegisteredDevice['platform']
  readonly appVersion: string
  readonly operatorId: string
  readonly registeredAt: string
  readonly lastSignInAt: string
  readonly status: DeviceStatus | 'never_seen'
  readonly lastHeartbeatAt: string | null
  readonly lastSyncHandshakeAt: string | null
  readonly cursorVersion: number
  readonly installerChannel: string | null
  readonly networkProfile: string | null
  readonly pendingHints: readonly PendingAction[]
}

/** The devices registered at iam, with what they last reported (B7). */
export async function listDevices(
  { db, upstreams }: ListDevicesDeps,
  { operator, query }: { readonly operator: Operator; readonly query: DeviceQuery },
  { deadline, trace }: UpstreamCall,
): Promise<{ rows: FleetDevice[]; nextCursor: DeviceId | null }> {
  const propertyId = requireProperty(operator, query.propertyId)
  const { cursor, limit, status } = query
  const { tenantId } = operator
  const page = await upstreams.iam
    .listDevices(
      { query: { propertyId, limit, ...(cursor !== undefined && { cursor }) } },
      { tenantId, deadline, trace },
    )
    .catch(asAbsent)
  const registered = page?.devices ?? []
  const ids = registered.map(({ deviceId }) => deviceId)
  const found = await db.tenantQuery(tenantId, selectDevices(ids), { deadline })
  const reported = new Map(found.map((row) => [row.device_id, row]))
  const rows = registered
    .map((device) => join(device, reported.get(device.deviceId)))
    .filter((row) => status === undefined || row.status === status)
  return { rows, nextCursor: page?.nextCursor ?? null }
}

function join(device: RegisteredDevice, row: DeviceRow | undefined): FleetDevice {
  const { deviceId, name, platform, operatorId, registeredAt, lastSignInAt } = device
  const lastHeartbeatAt = row?.last_heartbeat_at ?? null
  return {
    deviceId,
    name,
    platform,
    registeredAt,
    lastSignInAt,
    operatorId: row?.operator_id ?? operatorId,
    appVersion: row?.app_version ?? device.appVersion,
    status: row === undefined || lastHeartbeatAt === null ? 'never_seen' : row.current_status,
    lastHeartbeatAt: lastHeartbeatAt?.toISOString() ?? null,
    lastSyncHandshakeAt: row?.last_sync_handshake_at?.toISOString() ?? null,
    cursorVersion: row?.cursor_version ?? 0,
    installerChannel: row?.installer_channel ?? null,
    networkProfile: row?.network_profile ?? null,
    pendingHints: (row?.pending_hints ?? []) as readonly PendingAction[],
  }
}
