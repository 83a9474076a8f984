import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  id,
  instant,
  milliseconds,
  nullable,
  operational,
  payload,
  problemCode,
  shortName,
} from './fields.ts'

/** A guest who has not reserved a room yet has no draft. */
const ofFlow = {
  tenantId: id('tnt'),
  draftId: nullable(id('bdr')),
  sessionId: id('tnt_session'),
}
const byFlow = ({ draftId, sessionId }: { draftId: string | null; sessionId: string }) =>
  draftId ?? sessionId

export const flowStepCompleted = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.tenant.flow.step_completed.v1',
  retentionDays: 30,
  sampleRate: 0.25,
  piiAllowed: ['fromState', 'toState', 'stepLatencyMs'],
  payload: payload({
    ...ofFlow,
    fromState: shortName(),
    toState: shortName(),
    stepLatencyMs: milliseconds(),
    completedAt: instant(),
  }),
  orderingKey: byFlow,
})

/** A step returned an error that the guest sees. */
export const flowErrorEncountered = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.tenant.flow.error_encountered.v1',
  sampleRate: 1,
  piiAllowed: ['atState', 'errorCode', 'upstream', 'userActionable', 'retryAfterSec'],
  payload: payload({
    ...ofFlow,
    atState: shortName(),
    errorCode: problemCode(),
    upstream: nullable(shortName()),
    occurredAt: instant(),
    userActionable: Type.Boolean(),
    retryAfterSec: Type.Integer({ minimum: 0 }),
  }),
  orderingKey: byFlow,
})
