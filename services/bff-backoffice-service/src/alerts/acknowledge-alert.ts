import { asAbsent, asRejectedRequest, type ClientOf } from '@melmastoon/bff/upstreams'
import type { Cache } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type Id, problem, truncateText } from '@melmastoon/domain'
import type { AlertDetail, notificationContract } from '@melmastoon/upstream-contracts/notification'
import { type Operator, requireProperty } from '../access/operator.ts'
import { alertAcknowledged } from '../events/inbox-events.ts'
import { causationOf, type EventDeps, type StaffCall } from '../events/staff-call.ts'
import { insertAcknowledgement, selectAcknowledgement } from './alert-ack-sql.ts'
import { alertsTag } from './alert-inbox.ts'
import { type AlertVM, concerns, viewAlert } from './alert-view.ts'

export interface AcknowledgeDeps extends EventDeps {
  readonly db: Database
  readonly cache: Pick<Cache, 'invalidate'>
  readonly clock: Clock
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly upstreams: {
    readonly notification: Pick<ClientOf<typeof notificationContract>, 'getAlert' | 'acknowledge'>
  }
}

export interface AlertAcknowledgement {
  readonly operator: Operator
  readonly alertId: Id<'alt'>
  readonly note?: string | undefined
}

export interface AcknowledgedAlert {
  readonly alert: AlertVM
  readonly acknowledgedAt: Date
  /** False when the operator had acknowledged it before. */
  readonly isNew: boolean
}

const NOTE_CHARACTERS = 200

/**
 * For one operator, once (B5): at the notification service first, then in the log. A repetition
 * after a failure in between completes it.
 * @throws Problem RESOURCE_NOT_FOUND, ROLE_FORBIDDEN
 */
export async function acknowledgeAlert(
  deps: AcknowledgeDeps,
  { operator, alertId, note }: AlertAcknowledgement,
  call: StaffCall,
): Promise<AcknowledgedAlert> {
  const found = await findAlert(deps, { operator, alertId }, call)
  const { tenantId, operatorId, deviceId } = operator
  const cut = note === undefined ? undefined : truncateText(note, NOTE_CHARACTERS)
  const body = {
    actor: { operatorId, deviceId },
    ...causationOf(call),
    ...(cut !== undefined && cut !== '' && { note: cut }),
  }
  const alert = await deps.upstreams.notification
    .acknowledge({ params: { alertId }, body }, { ...call, tenantId })
    .catch(asRejectedRequest)
  const logged = await log(deps, { operator, alert: found, note: cut }, call)
  await deps.cache
    .invalidate([alertsTag(found.propertyId)])
    .catch((error: unknown) => deps.errors.report('alerts', error))
  return { alert: viewAlert(alert, operator), ...logged }
}

async function findAlert(
  { upstreams }: AcknowledgeDeps,
  { operator, alertId }: Pick<AlertAcknowledgement, 'operator' | 'alertId'>,
  { deadline, trace }: StaffCall,
): Promise<AlertDetail> {
  const { tenantId } = operator
  const alert = await upstreams.notification
    .getAlert({ params: { alertId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  if (alert === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  requireProperty(operator, alert.propertyId)
  if (!concerns(operator, alert)) throw problem('MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN')
  return alert
}

interface LoggedAcknowledgement extends Pick<AlertAcknowledgement, 'operator' | 'note'> {
  readonly alert: AlertDetail
}

async function log(
  { db, clock, registry }: AcknowledgeDeps,
  { operator, alert, note }: LoggedAcknowledgement,
  { deadline, cause }: StaffCall,
): Promise<Pick<AcknowledgedAlert, 'acknowledgedAt' | 'isNew'>> {
  const { tenantId, operatorId, deviceId } = operator
  const { alertId, propertyId, category, severity } = alert
  const payload = { alertId, propertyId, category, severity, operatorId, deviceId }
  const event = registry.build(alertAcknowledged.subject, payload, cause)
  const entry = { tenantId, operatorId, deviceId, note, at: clock.now() }
  const scoped = db.scoped(tenantId, { deadline })
  const [inserted] = await scoped.query(insertAcknowledgement(alert, entry, event))
  if (inserted !== undefined) return { acknowledgedAt: inserted.acknowledged_at, isNew: true }
  const [known] = await scoped.query(selectAcknowledgement(alertId, operatorId))
  return { acknowledgedAt: known?.acknowledged_at ?? entry.at, isNew: false }
}
