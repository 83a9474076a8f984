import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { RegisteredDevice } from '@melmastoon/upstream-contracts/iam'
import { type DeviceRow, selectDevices } from './device-sql.ts'
import type { IamOperations } from './iam.ts'

type Operation = IamOperations['listDevices']

const LIMIT = 50

export async function listDevices(
  db: Database,
  tenantId: TenantId,
  { propertyId, cursor, limit = LIMIT }: InputOf<Operation>['query'],
): Promise<OutputOf<Operation>> {
  const statement = selectDevices(idToUuid(tenantId), {
    property: propertyId === undefined ? null : idToUuid(propertyId),
    after: cursor === undefined ? null : idToUuid(cursor),
    rows: limit + 1,
  })
  const rows = await db.tenantQuery(tenantId, statement)
  const devices = rows.slice(0, limit).map(toDevice)
  const last = devices.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { devices, ...(hasMore && { nextCursor: last.deviceId }) }
}

function toDevice(row: DeviceRow): RegisteredDevice {
  return {
    deviceId: uuidToId('dev', row.device_id),
    name: row.name,
    platform: row.platform,
    appVersion: row.app_version,
    jkt: row.jkt,
    operatorId: uuidToId('opr', row.operator_id),
    registeredAt: toIsoDateTime(row.registered_at),
    lastSignInAt: toIsoDateTime(row.last_sign_in_at),
  }
}
