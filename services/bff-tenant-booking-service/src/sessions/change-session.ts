import type { Clock } from '@melmastoon/chassis/clock'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { type DraftId, problem, toIsoDateTime } from '@melmastoon/domain'
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

export interface ActiveDraftDeps {
  readonly sessions: Pick<BookingSessions, 'update'>
  readonly background: Pick<BackgroundWork, 'run'>
}

/**
 * Records in the background which draft the guest is working on, so that another tab can resume it.
 * Losing it loses no booking: drafts are found by their session in Postgres (D25).
 * @param draftId null when the draft has ended.
 */
export function setActiveDraft(
  { sessions, background }: ActiveDraftDeps,
  session: BookingSession,
  draftId: DraftId | null,
): void {
  background.run(`draft of ${session.id} ${draftId ?? 'ended'}`, () =>
    sessions.update(session, (data) =>
      data.activeBookingDraftId === draftId ? data : { ...data, activeBookingDraftId: draftId },
    ),
  )
}
