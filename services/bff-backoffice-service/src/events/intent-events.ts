import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { backoffice, id } from './fields.ts'

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** The verdict on what a device asked for while it was offline. */
export const intentDecided = defineEvent({
  ...backoffice,
  subject: 'melmastoon.bff.backoffice.offline.intent_decided.v1',
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
  piiAllowed: [
    'intentId',
    'operatorId',
    'deviceId',
    'propertyId',
    'intentName',
    'resourceId',
    'verdict',
    'code',
    'clockSuspect',
    'occurredAt',
  ],
  payload: Type.Object(
    {
      intentId: id('int'),
      operatorId: id('opr'),
      deviceId: id('dev'),
      propertyId: nullable(id('ppt')),
      intentName: Type.String({ pattern: '^[a-z_]{1,30}(\\.[a-z_]{1,30})?$' }),
      resourceId: nullable(Type.String({ pattern: '^[a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}$' })),
      verdict: Type.Enum(['applied', 'already_done', 'superseded', 'rejected']),
      code: nullable(Type.String({ pattern: '^MELMASTOON(\\.[A-Z_]+){2,4}$', maxLength: 100 })),
      clockSuspect: Type.Boolean(),
      occurredAt: nullable(Type.String({ format: 'date-time' })),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.deviceId,
})
