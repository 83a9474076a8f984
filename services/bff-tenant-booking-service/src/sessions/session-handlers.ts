import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { isId } from '@melmastoon/domain'
import { sessionRevoked } from '@melmastoon/platform-events'
import type { BookingSessions } from './booking-session.ts'

export interface SessionHandlerDeps {
  readonly sessions: Pick<BookingSessions, 'find' | 'update'>
}

/** The guest stays anonymous at the site: only what was known by signing in is dropped. */
export function onSessionRevoked({ sessions }: SessionHandlerDeps): EventHandler {
  return on(sessionRevoked, {
    async afterCommit({ tenantId, sessionId }) {
      if (!isId('tnt_session', sessionId)) return
      const session = await sessions.find(sessionId)
      if (session?.data.tenantId !== tenantId || session.data.loyaltyContext === null) return
      await sessions.update(session, (data) => ({ ...data, loyaltyContext: null }))
    },
  })
}
