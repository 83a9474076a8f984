import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { isId, type RequestId, type RoomKeyId } from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'
import {
  lockCredentialExtended,
  lockCredentialFailed,
  lockCredentialIssued,
  lockCredentialRequested,
  lockCredentialRevoked,
} from '@melmastoon/platform-events'
import type { Static } from 'typebox'
import { selectAction, toRecord } from './lock-action-sql.ts'
import type { LockDeps } from './lock-deps.ts'
import { codeOf } from './record-response.ts'
import { mark, settle } from './settle-action.ts'

type Payload = Static<(typeof lockCredentialIssued)['payload']>

/**
 * What the lock service reports about our actions, in any order and any number of times. The first
 * result settles the action; all others are added to its transitions.
 */
export function lockHandlers(deps: LockDeps): EventHandler[] {
  const scope = 'tenant' as const
  const apply = (tx: Tx, payload: Payload, event: EventMessage) =>
    applyEvent(deps, tx, { payload, event })
  return [
    on(lockCredentialRequested, { scope, handle: apply }),
    on(lockCredentialIssued, { scope, handle: apply }),
    on(lockCredentialFailed, { scope, handle: apply }),
    on(lockCredentialRevoked, { scope, handle: apply }),
    on(lockCredentialExtended, { scope, handle: apply }),
  ]
}

async function applyEvent(
  deps: LockDeps,
  tx: Tx,
  { payload, event }: { readonly payload: Payload; readonly event: EventMessage },
): Promise<void> {
  const { requestId, sequence } = payload
  // The lock service also acts by itself: its own requests have other ids.
  if (!isId('lap', requestId)) return
  const [row] = await tx.query(selectAction(requestId))
  if (row === undefined) return
  const action = toRecord(row)
  const keyId = payload.keyId as RoomKeyId
  if (event.envelope.subject === lockCredentialRequested.subject) {
    await mark(deps, tx, { action, state: 'accepted', source: 'event', keyId })
    return
  }
  const isFailed = event.envelope.subject === lockCredentialFailed.subject
  const result = {
    source: 'event',
    keyId,
    sequence,
    latencyMs: Math.max(0, Date.parse(payload.occurredAt) - action.requestedAt.getTime()),
  } as const
  const settled = isFailed
    ? ({ ...result, state: 'failed', errorCode: codeOf(payload.failureReason) } as const)
    : ({ ...result, state: 'succeeded' } as const)
  await settle(deps, tx, { action, result: settled, cause: causeOf(deps, event) })
}

/** The event as the cause of what follows from it. */
function causeOf(
  { config, clock }: Pick<LockDeps, 'config' | 'clock'>,
  { envelope }: EventMessage,
): EventContext {
  return {
    producerInstance: config.instance,
    tenantId: envelope.tenantId,
    occurredAt: clock.now(),
    requestId: envelope.requestId as RequestId,
    traceparent: envelope.traceId,
    causationId: envelope.eventId,
  }
}
