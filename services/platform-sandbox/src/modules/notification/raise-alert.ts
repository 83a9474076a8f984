import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, newId, problem, type TenantId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { AlertDetail } from '@melmastoon/upstream-contracts/notification'
import type { CallOf } from '../../contract-handlers.ts'
import { fromRow, type NotificationOperations, type StoredAlert, toDetail } from './alert.ts'
import { type AlertCause, raisedEvent } from './alert-events.ts'
import { insertAlerts, type NewAlert, selectAlert, selectOpenAlert } from './alert-sql.ts'
import type { NotificationHost } from './notification-host.ts'

type Operation = NotificationOperations['raise']
export type AlertContent = InputOf<Operation>['body']

/** An open alert may be acknowledged between the two statements; more often is an error. */
const ATTEMPTS_MAX = 3

export async function raiseAlert(
  host: NotificationHost,
  { body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<AlertDetail> {
  const { tenantId, cause } = call
  await host.property.readHotel({ tenantId, propertyId: body.propertyId })
  const { registry } = host
  return await host.db.withTenant(tenantId, async (tx) => {
    const alert = await raiseIn(tx, { tenantId, content: body }, { registry, cause })
    return await call.finish(tx, toDetail(alert))
  })
}

/** In the transaction of a caller of this module: raises the alert unless it is open already. */
export async function raiseIn(
  tx: Tx,
  { tenantId, content }: { readonly tenantId: TenantId; readonly content: AlertContent },
  by: Omit<AlertCause, 'causationId'>,
): Promise<StoredAlert> {
  const row = toRow(tenantId, content)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const [inserted] = await tx.query(insertAlerts([row]))
    if (inserted !== undefined) {
      const alert = await read(tx, row)
      await appendEvents(tx, [raisedEvent(alert, { ...by, causationId: row.causation_id })])
      return alert
    }
    const open = await findOpen(tx, row)
    if (open !== null) return open
  }
  throw problem('MELMASTOON.GENERAL.CONFLICT')
}

async function read(
  tx: Tx,
  { tenant_id: tenant, alert_id: alert }: NewAlert,
): Promise<StoredAlert> {
  const [row] = await tx.query(selectAlert({ tenant, alert }))
  if (row === undefined) throw new TypeError('the inserted alert does not exist')
  return fromRow(row)
}

async function findOpen(tx: Tx, row: NewAlert): Promise<StoredAlert | null> {
  if (row.deduplication_key === null) return null
  const { tenant_id, property_id, deduplication_key } = row
  const [open] = await tx.query(selectOpenAlert(tenant_id, property_id, deduplication_key))
  return open === undefined ? null : fromRow(open)
}

function toRow(tenantId: TenantId, content: AlertContent): NewAlert {
  const { actor } = content
  return {
    tenant_id: idToUuid(tenantId),
    alert_id: idToUuid(newId('alt')),
    property_id: idToUuid(content.propertyId),
    category: content.category,
    severity: content.severity,
    title: content.title,
    audience: content.audience,
    resource_kind: content.resourceKind,
    resource_id: content.resourceId,
    deduplication_key: content.deduplicationKey ?? null,
    raised_by: actor === undefined ? null : idToUuid(actor.operatorId),
    causation_id: content.causationId ?? null,
    raised_at: null,
  }
}
