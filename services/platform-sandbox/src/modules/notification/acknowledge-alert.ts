import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { AlertDetail } from '@melmastoon/upstream-contracts/notification'
import type { CallOf } from '../../contract-handlers.ts'
import { fromRow, type NotificationOperations, type StoredAlert, toDetail } from './alert.ts'
import { acknowledgedEvent } from './alert-events.ts'
import { type AlertRef, insertAcknowledgement, lockAlert, selectAlert } from './alert-sql.ts'
import type { NotificationHost } from './notification-host.ts'

type Operation = NotificationOperations['acknowledge']

/** A value of `X-Sandbox-Scenario` for `acknowledge`. */
export const ALERT_CHANGED_SCENARIO = 'alert-changed'

/** Once per operator. A repetition is no change, whatever version it expects. */
export async function acknowledgeAlert(
  host: NotificationHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<AlertDetail> {
  const { tenantId, cause, scenario } = call
  if (scenario === ALERT_CHANGED_SCENARIO) {
    throw problem('MELMASTOON.NOTIFICATION.VERSION_CONFLICT')
  }
  const { actor, causationId = null, expectedVersion, note = null } = body
  const ref = { tenant: idToUuid(tenantId), alert: idToUuid(params.alertId) }
  return await host.db.withTenant(tenantId, async (tx) => {
    await tx.query(lockAlert(ref))
    const before = await readAlert(tx, ref)
    const isDone = before.acknowledgedBy.some(({ operatorId }) => operatorId === actor.operatorId)
    if (isDone) return await call.finish(tx, toDetail(before))
    if (expectedVersion !== undefined && expectedVersion !== before.version) {
      throw problem('MELMASTOON.NOTIFICATION.VERSION_CONFLICT')
    }
    const operator = idToUuid(actor.operatorId)
    const device = idToUuid(actor.deviceId)
    await tx.query(insertAcknowledgement({ ...ref, operator, device, note, causationId }))
    const alert = await readAlert(tx, ref)
    const { registry } = host
    const event = acknowledgedEvent(alert, actor.operatorId, { registry, cause, causationId })
    await appendEvents(tx, [event])
    return await call.finish(tx, toDetail(alert))
  })
}

async function readAlert(tx: Tx, ref: AlertRef): Promise<StoredAlert> {
  const [row] = await tx.query(selectAlert(ref))
  if (row === undefined) throw problem('MELMASTOON.NOTIFICATION.ALERT_NOT_FOUND')
  return fromRow(row)
}
