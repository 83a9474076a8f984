import type { Database } from '@melmastoon/chassis/db'
import { type Id, idToUuid, isId, problem, type TenantId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { AlertDetail } from '@melmastoon/upstream-contracts/notification'
import { fromRow, type NotificationOperations, type StoredAlert, toDetail } from './alert.ts'
import { selectAlert, selectAlerts, selectRecentAlerts } from './alert-sql.ts'
import type { NotificationHost } from './notification-host.ts'

type List = NotificationOperations['listAlerts']

const LIMIT_DEFAULT = 50

export async function readAlert(
  db: Database,
  tenantId: TenantId,
  alertId: Id<'alt'>,
): Promise<AlertDetail> {
  const ref = { tenant: idToUuid(tenantId), alert: idToUuid(alertId) }
  const [row] = await db.tenantQuery(tenantId, selectAlert(ref))
  if (row === undefined) throw problem('MELMASTOON.NOTIFICATION.ALERT_NOT_FOUND')
  return toDetail(fromRow(row))
}

export async function listAlerts(
  host: NotificationHost,
  { params, query }: InputOf<List>,
  tenantId: TenantId,
): Promise<OutputOf<List>> {
  await host.property.readHotel({ tenantId, propertyId: params.propertyId })
  const { state = null, operatorId, role = null, cursor, limit = LIMIT_DEFAULT } = query
  const page = selectAlerts({
    tenant: idToUuid(tenantId),
    property: idToUuid(params.propertyId),
    state,
    operator: operatorId === undefined ? null : idToUuid(operatorId),
    role,
    after: cursor === undefined ? null : readCursor(cursor),
    rows: limit + 1,
  })
  const found = (await host.db.tenantQuery(tenantId, page)).map(fromRow)
  const alerts = found.slice(0, limit).map(toListed)
  const last = alerts.at(-1)
  return found.length <= limit || last === undefined
    ? { alerts }
    : { alerts, nextCursor: last.alertId }
}

/** Of all tenants. */
export async function recentAlerts(relayDb: Database, rows: number): Promise<StoredAlert[]> {
  return (await relayDb.query(selectRecentAlerts(rows))).map(fromRow)
}

function toListed(alert: StoredAlert) {
  const { history: _, ...listed } = toDetail(alert)
  return listed
}

/** The id of the last alert; alerts are never deleted, so it stays valid. */
function readCursor(cursor: string): string {
  if (isId('alt', cursor)) return idToUuid(cursor)
  const errors = [{ pointer: '/query/cursor', code: 'unknown', detail: 'is not a valid cursor' }]
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
