import { toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  lockCredentialExtended,
  lockCredentialFailed,
  lockCredentialIssued,
  lockCredentialRequested,
  lockCredentialRevoked,
} from '@melmastoon/platform-events'
import type { LockAction, LockFailure } from '@melmastoon/upstream-contracts/lock'
import { toCredential } from './credential.ts'
import type { CredentialRow } from './credential-sql.ts'
import type { LockHost } from './lock-host.ts'
import type { RequestRow } from './request-sql.ts'

const DONE = {
  issue: lockCredentialIssued,
  rebind: lockCredentialIssued,
  revoke: lockCredentialRevoked,
  extend: lockCredentialExtended,
} as const satisfies Record<LockAction, unknown>

export interface LockOutcome {
  readonly request: RequestRow
  readonly credential: CredentialRow
  readonly result: 'requested' | 'done' | LockFailure
  readonly sequence: number
}

export interface Publishing {
  readonly registry: LockHost['registry']
  readonly cause: EventContext
}

export function buildEvent({ registry, cause }: Publishing, outcome: LockOutcome): OutboxEvent {
  const { request, credential, result, sequence } = outcome
  const { state, updatedAt: _, ...key } = toCredential(credential)
  const tenantId = uuidToId('tnt', credential.tenant_id)
  const payload = {
    ...key,
    tenantId,
    requestId: request.request_id,
    action: request.action,
    status: state,
    failureReason: result === 'requested' || result === 'done' ? null : result,
    sequence,
    occurredAt: toIsoDateTime(cause.occurredAt),
    causationId: request.causation_id,
  }
  return registry.build(subjectOf(outcome), payload, { ...cause, tenantId })
}

function subjectOf({ result, request }: LockOutcome) {
  if (result === 'requested') return lockCredentialRequested.subject
  return result === 'done' ? DONE[request.action].subject : lockCredentialFailed.subject
}
