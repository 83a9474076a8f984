import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { backoffice, id } from './fields.ts'

const session = {
  ...backoffice,
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
} as const

/** The first authenticated request of a session. */
export const sessionOpened = defineEvent({
  ...session,
  subject: 'melmastoon.bff.backoffice.session.opened.v1',
  piiAllowed: ['operatorId', 'deviceId', 'sessionId', 'roles'],
  payload: Type.Object(
    {
      sessionId: id('bos'),
      operatorId: id('opr'),
      deviceId: id('dev'),
      roles: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 5 }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.sessionId,
})

/** The operator signed out, or the session was revoked. */
export const sessionClosed = defineEvent({
  ...session,
  subject: 'melmastoon.bff.backoffice.session.closed.v1',
  piiAllowed: ['operatorId', 'deviceId', 'sessionId', 'reasonCode'],
  payload: Type.Object(
    {
      sessionId: id('bos'),
      operatorId: id('opr'),
      deviceId: id('dev'),
      reasonCode: Type.String({ pattern: '^[a-z][a-z0-9_]{1,39}$' }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.sessionId,
})
