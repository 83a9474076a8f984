import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { causationId, closed, code, id, instant, version } from './fields.ts'

const alertEvent = {
  version: 1,
  producer: 'notification-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
} as const

const ALERT_FIELDS = [
  'alertId',
  'category',
  'severity',
  'audience',
  'status',
  'version',
  'causationId',
]

const alertFields = {
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  alertId: id('alt'),
  category: code(),
  severity: code(),
  /** The roles that the alert is for. */
  audience: Type.Array(code(), { maxItems: 10 }),
  status: code(),
  version: version(),
  occurredAt: instant(),
  causationId: causationId(),
}

export const alertRaised = defineEvent({
  ...alertEvent,
  subject: 'melmastoon.notification.alert.raised.v1',
  piiAllowed: ALERT_FIELDS,
  payload: closed(alertFields),
  orderingKey: (payload) => payload.alertId,
})

export const alertAcknowledged = defineEvent({
  ...alertEvent,
  subject: 'melmastoon.notification.alert.acknowledged.v1',
  piiAllowed: [...ALERT_FIELDS, 'operatorId'],
  payload: closed({ ...alertFields, operatorId: id('opr') }),
  orderingKey: (payload) => payload.alertId,
})
