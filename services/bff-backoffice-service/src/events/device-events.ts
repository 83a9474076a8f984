import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { backoffice, id } from './fields.ts'

const operational = {
  ...backoffice,
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
} as const

/** A device has stopped or resumed sending heartbeats. */
export const deviceStatusChanged = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.backoffice.device.status_changed.v1',
  piiAllowed: ['deviceId', 'status', 'lastHeartbeatAt'],
  payload: Type.Object(
    {
      tenantId: id('tnt'),
      deviceId: id('dev'),
      propertyId: Type.Union([id('ppt'), Type.Null()]),
      status: Type.Enum(['online', 'offline']),
      lastHeartbeatAt: Type.String({ format: 'date-time' }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.deviceId,
})

/** A device received a token for the sync service. */
export const syncHandshakeCompleted = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.backoffice.sync.handshake_completed.v1',
  piiAllowed: ['deviceId', 'operatorId', 'propertyIds', 'expiresAt'],
  payload: Type.Object(
    {
      deviceId: id('dev'),
      operatorId: id('opr'),
      propertyIds: Type.Array(id('ppt'), { maxItems: 50 }),
      expiresAt: Type.String({ format: 'date-time' }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.deviceId,
})

export const syncCursorAdvanced = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.backoffice.sync.cursor_advanced.v1',
  piiAllowed: ['deviceId', 'operatorId', 'version'],
  payload: Type.Object(
    { deviceId: id('dev'), operatorId: id('opr'), version: Type.Integer({ minimum: 1 }) },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.deviceId,
})
