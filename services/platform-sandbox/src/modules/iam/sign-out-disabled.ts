import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { RequestId } from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'
import { operatorRoleChanged } from '@melmastoon/platform-events'
import type { IamHost } from './iam.ts'
import { revokeSessionsOf } from './sessions.ts'

/** A disabled operator is signed out everywhere; other changes act with the next token. */
export function signOutDisabled(host: IamHost): EventHandler {
  return on(operatorRoleChanged, {
    scope: 'tenant',
    async handle(tx, { tenantId, operatorId, status }, event) {
      if (status !== 'disabled') return
      const reason = { reasonCode: 'operator_disabled', cause: causeOf(host, event) }
      await revokeSessionsOf(host, tx, { tenantId, operatorId }, reason)
    },
  })
}

function causeOf({ config, clock }: IamHost, { envelope }: EventMessage): EventContext {
  return {
    producerInstance: config.instance,
    tenantId: envelope.tenantId,
    requestId: envelope.requestId as RequestId,
    traceparent: envelope.traceId,
    occurredAt: clock.now(),
    causationId: envelope.eventId,
    correlationId: envelope.correlationId,
  }
}
