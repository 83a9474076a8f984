import type { Clock } from '@melmastoon/chassis/clock'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { BookingSession, BookingSessionData, BookingSessions } from './booking-session.ts'

export interface ChangeSessionDeps {
  readonly sessions: Pick<BookingSessions, 'update'>
  readonly clock: Clock
}

export interface ChangedSession {
  /** What was changed; it may be newer than what the request had read. */
  readonly before: BookingSessionData
  readonly session: BookingSession
}

/** A change by the guest. @throws Problem when the session was cleared or has expired. */
export async function changeSession(
  deps: ChangeSessionDeps,
  known: BookingSession,
  change: (data: BookingSessionData) => BookingSessionData,
): Promise<ChangedSession> {
  const lastSeenAt = toIsoDateTime(deps.clock.now())
  let before: BookingSessionData | undefined
  const session = await deps.sessions.update(known, (data) => {
    before = data
    const changed = change(data)
    return changed === data ? data : { ...changed, lastSeenAt }
  })
  if (session === null || before === undefined) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  return { before, session }
}
