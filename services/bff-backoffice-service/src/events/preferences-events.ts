import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { backoffice, id } from './fields.ts'

/** Once per version; other devices of the operator read the preferences again. */
export const preferencesUpdated = defineEvent({
  ...backoffice,
  subject: 'melmastoon.bff.backoffice.preferences.updated.v1',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
  piiAllowed: ['operatorId', 'deviceId', 'version'],
  payload: Type.Object(
    {
      tenantId: id('tnt'),
      operatorId: id('opr'),
      deviceId: id('dev'),
      propertyId: id('ppt'),
      version: Type.Integer({ minimum: 1 }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.operatorId,
})
