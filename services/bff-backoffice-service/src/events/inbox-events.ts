import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { backoffice, code, id } from './fields.ts'

/** Both logs are retained for seven years. */
const regulated = {
  ...backoffice,
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
} as const

/** Once per alert and operator. */
export const alertAcknowledged = defineEvent({
  ...regulated,
  subject: 'melmastoon.bff.backoffice.alert.acknowledged.v1',
  piiAllowed: ['alertId', 'category', 'severity', 'operatorId', 'deviceId'],
  payload: Type.Object(
    {
      alertId: id('alt'),
      propertyId: id('ppt'),
      category: code(),
      severity: code(),
      operatorId: id('opr'),
      deviceId: id('dev'),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.alertId,
})

/** Once per suggestion: the binding decision. */
export const suggestionDecided = defineEvent({
  ...regulated,
  subject: 'melmastoon.bff.backoffice.suggestion.decided.v1',
  piiAllowed: [
    'suggestionId',
    'decisionId',
    'category',
    'severity',
    'outcome',
    'operatorId',
    'deviceId',
  ],
  payload: Type.Object(
    {
      suggestionId: id('sug'),
      decisionId: id('sdl'),
      propertyId: id('ppt'),
      category: code(),
      severity: code(),
      outcome: Type.Enum(['accepted', 'rejected', 'modified']),
      operatorId: id('opr'),
      deviceId: id('dev'),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.suggestionId,
})
