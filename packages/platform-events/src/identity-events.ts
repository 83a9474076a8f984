import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { closed, code, id, instant } from './fields.ts'

/**
 * A session ended before its time. Contains ids only: `subjectId` is the guest or operator who was
 * signed in, null for an anonymous session.
 */
export const sessionRevoked = defineEvent({
  version: 1,
  producer: 'iam-service',
  retentionClass: 'audit',
  retentionDays: 365,
  sampleRate: 1,
  subject: 'melmastoon.iam.session.revoked.v1',
  piiAllowed: ['subjectId', 'reasonCode', 'revokedAt'],
  payload: closed({
    tenantId: id('tnt'),
    sessionId: Type.Union([id('tnt_session'), id('bos')]),
    subjectId: Type.Union([id('gst'), id('opr'), Type.Null()]),
    reasonCode: code(),
    revokedAt: instant(),
  }),
  orderingKey: (payload) => payload.sessionId,
})

/** A device signed in with a key that was not registered before. */
export const deviceRegistered = defineEvent({
  version: 1,
  producer: 'iam-service',
  retentionClass: 'audit',
  retentionDays: 365,
  sampleRate: 1,
  subject: 'melmastoon.iam.device.registered.v1',
  piiAllowed: ['deviceId', 'operatorId', 'platform'],
  payload: closed({
    tenantId: id('tnt'),
    deviceId: id('dev'),
    operatorId: id('opr'),
    platform: code(),
    occurredAt: instant(),
  }),
  orderingKey: (payload) => payload.deviceId,
})
