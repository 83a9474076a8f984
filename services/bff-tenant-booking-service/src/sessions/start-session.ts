import type { Clock } from '@melmastoon/chassis/clock'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { toIsoDateTime } from '@melmastoon/domain'
import type { BookingSession, BookingSessions } from './booking-session.ts'
import {
  hasContent,
  type NewGuest,
  type NewSessionSettings,
  newBookingSession,
} from './new-booking-session.ts'

export interface StartSessionDeps extends NewSessionSettings {
  readonly sessions: Pick<BookingSessions, 'start' | 'store' | 'update' | 'cookieValueOf'>
  readonly clock: Clock
  readonly background: Pick<BackgroundWork, 'run'>
}

export interface StartedSession {
  readonly session: BookingSession
  readonly cookieValue: string
}

/** Without I/O; a session with content is stored in the background. */
export function startSession(deps: StartSessionDeps, guest: NewGuest): StartedSession {
  const data = newBookingSession(guest, deps, deps.clock.now())
  const started = deps.sessions.start(data, guest.site.tenantId)
  const { session } = started
  if (hasContent(guest.site, deps, data)) {
    deps.background.run(`start ${session.id}`, () => deps.sessions.store(session))
  }
  return started
}

export interface ContinuedSession {
  readonly session: BookingSession
  /** Of the cookie that the response sets, if any. */
  readonly cookieValue: string | null
}

/** For private responses: the session of the guest, or a new one. Without I/O. */
export function continueSession(
  deps: StartSessionDeps,
  known: BookingSession | undefined,
  newGuest: () => NewGuest,
): ContinuedSession {
  if (known === undefined) return startSession(deps, newGuest())
  return { session: known, cookieValue: touchSession(deps, known) }
}

/** How exact `lastSeenAt` is; more would be a write for every page. */
const SEEN_EVERY_MS = 60_000

/**
 * Records in the background that a guest was seen.
 * @returns the value of the cookie on the first request of a day, which restarts its thirty days.
 */
function touchSession(deps: StartSessionDeps, session: BookingSession): string | null {
  const { lastSeenAt, tenantId } = session.data
  const nowMs = deps.clock.nowMs()
  if (nowMs - Date.parse(lastSeenAt) < SEEN_EVERY_MS) return null
  const now = toIsoDateTime(new Date(nowMs))
  const isSameDay = lastSeenAt.slice(0, 10) === now.slice(0, 10)
  // A session without content is stored on another day only, so that its life can be extended.
  if (session.version === 0 && isSameDay) return null
  deps.background.run(`seen ${session.id}`, () =>
    deps.sessions.update(session, (data) =>
      data.lastSeenAt < now ? { ...data, lastSeenAt: now } : data,
    ),
  )
  return isSameDay ? null : deps.sessions.cookieValueOf(session, tenantId)
}
