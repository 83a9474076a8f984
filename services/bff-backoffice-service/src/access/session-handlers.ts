import type { Cache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { isId, type OperatorId } from '@melmastoon/domain'
import { operatorRoleChanged, sessionRevoked } from '@melmastoon/platform-events'
import type { Access } from './access.ts'
import { operatorTag } from './operator-records.ts'
import type { SessionMetrics } from './session-metrics.ts'
import { buildClosed, type SessionEventDeps } from './session-reports.ts'

export interface SessionHandlerDeps extends SessionEventDeps {
  readonly access: Pick<Access, 'endSession' | 'findEnded' | 'findSession'>
  readonly sessionMetrics: SessionMetrics
}

/**
 * Force-logout: the end of the session is recorded once, then all processes reject it and end its
 * streams. The tombstone is written for a repeated event, too.
 */
export function onStaffSessionRevoked(deps: SessionHandlerDeps): EventHandler {
  return on(sessionRevoked, {
    scope: 'tenant',
    async handle(tx, { tenantId, sessionId, reasonCode }, event) {
      if (!isId('bos', sessionId)) return
      const session = await deps.access.findSession(sessionId)
      if (session === null || session.tenantId !== tenantId) return
      await appendEvents(tx, [buildClosed(deps, session, { reasonCode, event })])
    },
    async afterCommit({ sessionId }, { envelope }) {
      if (!isId('bos', sessionId)) return
      const { access } = deps
      const [ended] = await access.findEnded([sessionId])
      await access.endSession(sessionId)
      // A repeated event, or one about a sign-out here: not the time that this took.
      if (ended !== undefined) return
      deps.sessionMetrics.onForcedLogout(deps.clock.nowMs() - Date.parse(envelope.occurredAt))
    },
  })
}

/** A role that was removed is lost at once, in all processes. */
export function onOperatorRoleChanged({ cache }: { readonly cache: Cache }): EventHandler {
  return on(operatorRoleChanged, {
    afterCommit: ({ operatorId }) => cache.invalidate([operatorTag(operatorId as OperatorId)]),
  })
}
