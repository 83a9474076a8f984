import type { Clock } from '@melmastoon/chassis/clock'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { toIsoDateTime } from '@melmastoon/domain'
import type { GuestSession, GuestSessions } from './guest-session.ts'
import type { SessionObserver } from './session-observers.ts'

/** How exact `lastSeenAt` is; more would be a write for every page. */
const SEEN_EVERY_MS = 60_000

export interface TouchSessionDeps {
  readonly sessions: Pick<GuestSessions, 'update'>
  readonly sessionObservers: readonly SessionObserver[]
  readonly background: Pick<BackgroundWork, 'run'>
  readonly clock: Clock
}

export interface TouchedSession {
  /** The first client of a day restarts the thirty days of the cookie. */
  readonly renewsCookie: boolean
}

const UNCHANGED: TouchedSession = { renewsCookie: false }
const RENEWED: TouchedSession = { renewsCookie: true }

/** Whether `touchSession` has nothing to do for this session. */
export function isSeenRecently({ data }: GuestSession, nowMs: number): boolean {
  return nowMs - lastSeenMs(data) < SEEN_EVERY_MS
}

/** Parsed once for each version of a session. */
const lastSeen = new WeakMap<GuestSession['data'], number>()

function lastSeenMs(data: GuestSession['data']): number {
  const known = lastSeen.get(data)
  if (known !== undefined) return known
  const seenMs = Date.parse(data.lastSeenAt)
  lastSeen.set(data, seenMs)
  return seenMs
}

/** Records in the background that a guest was seen. */
export function touchSession(deps: TouchSessionDeps, session: GuestSession): TouchedSession {
  const { lastSeenAt } = session.data
  const nowMs = deps.clock.nowMs()
  if (isSeenRecently(session, nowMs)) return UNCHANGED
  const now = toIsoDateTime(new Date(nowMs))
  const isSameDay = lastSeenAt.slice(0, 10) === now.slice(0, 10)
  // A session without content is stored on another day only, so that its life can be extended.
  if (session.version === 0 && isSameDay) return UNCHANGED
  for (const observer of deps.sessionObservers) observer.onSeen?.(session)
  deps.background.run(`seen ${session.id}`, () =>
    deps.sessions.update(session, (data) =>
      data.lastSeenAt < now ? { ...data, lastSeenAt: now } : data,
    ),
  )
  return isSameDay ? UNCHANGED : RENEWED
}

/**
 * Stores a session without content in the background: what is reported about a handoff later needs
 * the consent and the attribution of the session.
 */
export function storeSession(
  { background, sessions }: Pick<TouchSessionDeps, 'background' | 'sessions'>,
  session: GuestSession,
): void {
  if (session.version > 0) return
  background.run(`store ${session.id}`, () => sessions.update(session, (data) => ({ ...data })))
}
