import type { OperatorId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import { alertAcknowledged, alertRaised } from '@melmastoon/platform-events'
import type { ModuleHost } from '../../module.ts'
import type { StoredAlert } from './alert.ts'

export interface AlertCause {
  readonly registry: ModuleHost['registry']
  readonly cause: EventContext
  readonly causationId: string | null
}

export function raisedEvent(alert: StoredAlert, { registry, ...cause }: AlertCause): OutboxEvent {
  const payload = payloadOf(alert, cause.causationId)
  return registry.build(alertRaised.subject, payload, contextOf(alert, cause.cause))
}

export function acknowledgedEvent(
  alert: StoredAlert,
  operatorId: OperatorId,
  { registry, ...cause }: AlertCause,
): OutboxEvent {
  const payload = { ...payloadOf(alert, cause.causationId), operatorId }
  return registry.build(alertAcknowledged.subject, payload, contextOf(alert, cause.cause))
}

function payloadOf(alert: StoredAlert, causationId: string | null) {
  const { tenantId, propertyId, alertId, category, severity, audience, version } = alert
  const ids = { tenantId, propertyId, alertId }
  const status = alert.state
  const occurredAt = alert.updatedAt
  return { ...ids, category, severity, audience, status, version, occurredAt, causationId }
}

function contextOf({ tenantId }: StoredAlert, cause: EventContext): EventContext {
  return { ...cause, tenantId }
}
