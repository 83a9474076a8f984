import type { Database } from '@melmastoon/chassis/db'
import {
  type DeviceId,
  idToUuid,
  problem,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { SyncCursor, syncContract } from '@melmastoon/upstream-contracts/sync'
import type { CallOf } from '../../contract-handlers.ts'
import {
  type CursorRow,
  deleteCursor,
  insertCursor,
  selectCursor,
  selectRecentCursors,
  updateCursor,
} from './cursor-sql.ts'

export type SyncOperations = (typeof syncContract)['operations']
type Advance = SyncOperations['advanceCursor']

/** A value of `X-Sandbox-Scenario` for `advanceCursor`. */
export const CURSOR_CONFLICT_SCENARIO = 'cursor-conflict'

export interface DeviceCursor extends SyncCursor {
  readonly tenantId: TenantId
}

export async function readCursor(
  db: Database,
  tenantId: TenantId,
  deviceId: DeviceId,
): Promise<SyncCursor> {
  const ref = { tenant: idToUuid(tenantId), device: idToUuid(deviceId) }
  const [row] = await db.tenantQuery(tenantId, selectCursor(ref))
  if (row === undefined) throw problem('MELMASTOON.SYNC.CURSOR_NOT_FOUND')
  return toCursor(row)
}

/** A compare-and-set on the version; version 0 means that the device has no cursor yet. */
export async function advanceCursor(
  db: Database,
  { params, body }: InputOf<Advance>,
  call: CallOf<Advance>,
): Promise<SyncCursor> {
  const { tenantId, scenario } = call
  const { expectedVersion, pullCursor = null, pushAck = null, actor, causationId = null } = body
  if (scenario === CURSOR_CONFLICT_SCENARIO) throw problem('MELMASTOON.SYNC.CURSOR_CONFLICT')
  const advance = {
    tenant: idToUuid(tenantId),
    device: idToUuid(params.deviceId),
    expectedVersion,
    pullCursor,
    pushAck,
    operator: idToUuid(actor.operatorId),
    causationId,
  }
  return await db.withTenant(tenantId, async (tx) => {
    const statement = expectedVersion === 0 ? insertCursor(advance) : updateCursor(advance)
    const [row] = await tx.query(statement)
    if (row === undefined) throw problem('MELMASTOON.SYNC.CURSOR_CONFLICT')
    return await call.finish(tx, toCursor(row))
  })
}

/** For demonstrations: the device has to start again. */
export async function resetCursor(
  db: Database,
  tenantId: TenantId,
  deviceId: DeviceId,
): Promise<void> {
  const ref = { tenant: idToUuid(tenantId), device: idToUuid(deviceId) }
  const [deleted] = await db.tenantQuery(tenantId, deleteCursor(ref))
  if (deleted === undefined) throw problem('MELMASTOON.SYNC.CURSOR_NOT_FOUND')
}

/** Of all tenants. */
export async function recentCursors(relayDb: Database, rows: number): Promise<DeviceCursor[]> {
  const found = await relayDb.query(selectRecentCursors(rows))
  return found.map((row) => ({ ...toCursor(row), tenantId: uuidToId('tnt', row.tenant_id) }))
}

function toCursor(row: CursorRow): SyncCursor {
  return {
    deviceId: uuidToId('dev', row.device_id),
    pullCursor: row.pull_cursor,
    pushAck: row.push_ack,
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
  }
}
