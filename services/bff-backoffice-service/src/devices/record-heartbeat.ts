import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { CallOptions, Database } from '@melmastoon/chassis/db'
import type { PropertyId } from '@melmastoon/domain'
import { type Operator, requireProperty } from '../access/operator.ts'
import { upsertHeartbeat } from './device-sql.ts'
import type { PendingAction } from './report-hints.ts'
import { type SweepDeps, sweepDevice } from './sweep-devices.ts'

export interface HeartbeatDeps extends SweepDeps {
  readonly db: Database
  readonly background: Pick<BackgroundWork, 'run'>
}

export interface Heartbeat {
  readonly operator: Operator
  /** Where the device is used; absent: as before. */
  readonly propertyId?: PropertyId | undefined
  readonly appVersion: string
  readonly appPlatform: string
  readonly installerChannel?: string | undefined
  readonly networkProfile?: string | undefined
}

export interface HeartbeatReceipt {
  readonly serverTime: Date
  readonly cursorVersion: number
  readonly pendingHints: readonly PendingAction[]
}

/** Of the operator's own device (B7). A device that was offline is announced at once. */
export async function recordHeartbeat(
  deps: HeartbeatDeps,
  heartbeat: Heartbeat,
  options: CallOptions,
): Promise<HeartbeatReceipt> {
  const { operator } = heartbeat
  const { tenantId, operatorId, deviceId } = operator
  const { propertyId, installerChannel = null, networkProfile = null } = heartbeat
  const statement = upsertHeartbeat({
    tenantId,
    operatorId,
    deviceId,
    propertyId: propertyId === undefined ? null : requireProperty(operator, propertyId),
    appVersion: heartbeat.appVersion,
    appPlatform: heartbeat.appPlatform,
    installerChannel,
    networkProfile,
  })
  const [row] = await deps.db.tenantQuery(tenantId, statement, options)
  if (row === undefined) throw new TypeError('a heartbeat wrote no row')
  if (row.status === 'offline') {
    deps.background.run(`online ${deviceId}`, () => sweepDevice(deps, deviceId))
  }
  const pendingHints = row.pending_hints as readonly PendingAction[]
  return { serverTime: row.now, cursorVersion: row.cursor_version, pendingHints }
}
