import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { backoffice, code, id } from './fields.ts'

const lockAction = {
  actionId: id('lap'),
  propertyId: id('ppt'),
  reservationId: id('rsv'),
  action: Type.Enum(['issue', 'revoke', 'rebind', 'extend']),
  vendor: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  /** All zeros: this service itself. */
  operatorId: id('opr'),
  deviceId: id('dev'),
}

const regulated = {
  ...backoffice,
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
} as const

const ALLOWED = ['actionId', 'reservationId', 'action', 'vendor', 'operatorId', 'deviceId']

/** The audit has a row; the lock service has not received the command yet. */
export const lockActionRequested = defineEvent({
  ...regulated,
  subject: 'melmastoon.bff.backoffice.lock_action.requested.v1',
  piiAllowed: ALLOWED,
  payload: Type.Object(lockAction, { additionalProperties: false }),
  orderingKey: (payload) => payload.actionId,
})

/** Once per action. */
export const lockActionSettled = defineEvent({
  ...regulated,
  subject: 'melmastoon.bff.backoffice.lock_action.settled.v1',
  piiAllowed: [...ALLOWED, 'outcome', 'source', 'errorCode'],
  payload: Type.Object(
    {
      ...lockAction,
      outcome: Type.Enum(['success', 'failure']),
      source: code(),
      errorCode: Type.Union([Type.String({ pattern: '^[A-Z_.]{1,120}$' }), Type.Null()]),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.actionId,
})
