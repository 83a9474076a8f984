import type { ClientInfo } from '@melmastoon/bff/guests'
import type { Clock } from '@melmastoon/chassis/clock'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { GuestSession, GuestSessionData, GuestSessions } from './guest-session.ts'
import type { Consent } from './new-guest-session.ts'
import type { SessionObserver } from './session-observers.ts'

export interface ChangeSessionDeps {
  readonly sessions: Pick<GuestSessions, 'update'>
  readonly sessionObservers: readonly SessionObserver[]
  readonly clock: Clock
}

export interface ChangedSession {
  /** What was changed; it may be newer than what the request had read. */
  readonly before: GuestSessionData
  readonly session: GuestSession
}

/** A change by the guest. @throws Problem when the session was cleared or has expired. */
export async function changeSession(
  deps: ChangeSessionDeps,
  known: GuestSession,
  change: (data: GuestSessionData) => GuestSessionData,
): Promise<ChangedSession> {
  const lastSeenAt = toIsoDateTime(deps.clock.now())
  let before: GuestSessionData | undefined
  const session = await deps.sessions.update(known, (data) => {
    before = data
    const changed = change(data)
    return changed === data ? data : { ...changed, lastSeenAt }
  })
  if (session === null || before === undefined) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  const isWithdrawn = before.flags.consentTelemetry && !session.data.flags.consentTelemetry
  for (const observer of deps.sessionObservers) {
    observer.onSeen?.({ ...session, data: before })
    if (isWithdrawn) observer.onConsentWithdrawn?.(session.id)
  }
  return { before, session }
}

/** What is not mentioned stays; a browser that declines telemetry is not overruled (D13). */
export function changeFlags(
  flags: GuestSessionData['flags'],
  { declinesTelemetry }: Pick<ClientInfo, 'declinesTelemetry'>,
  consent: Consent = {},
): GuestSessionData['flags'] {
  const consentTelemetry = consent.telemetry ?? flags.consentTelemetry
  return {
    consentTelemetry: consentTelemetry && !declinesTelemetry,
    consentMarketing: consent.marketing ?? flags.consentMarketing,
  }
}
