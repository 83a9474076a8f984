import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { GuestSessionId } from '@melmastoon/domain'
import type { GuestSessions } from './guest-session.ts'
import type { SessionObserver } from './session-observers.ts'

export interface ClearSessionDeps {
  readonly sessions: Pick<GuestSessions, 'clear'>
  readonly sessionObservers: readonly SessionObserver[]
}

/**
 * Ends a session and deletes all of its data. The data is deleted first, so that after a failure
 * the client still has a session with which to try again, and once more for what was added until
 * the session was cleared.
 */
export async function clearSession(
  deps: ClearSessionDeps,
  id: GuestSessionId,
  deadline: TimeLimit,
): Promise<void> {
  const deleteData = () =>
    Promise.all(
      deps.sessionObservers.map(async (observer) => await observer.deleteData?.(id, deadline)),
    )
  await deleteData()
  await deps.sessions.clear(id)
  await deleteData()
}
