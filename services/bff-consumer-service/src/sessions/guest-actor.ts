import type { ClientInfo } from '@melmastoon/bff/guests'
import type { EventContext } from '@melmastoon/events'
import type { GuestSession, GuestSessions } from './guest-session.ts'

/** The guest who caused something, and the request that did. */
export interface GuestActor {
  readonly session: GuestSession
  readonly client: ClientInfo
  /** Made only when there is something to report. */
  readonly cause: () => EventContext
}

/** Of the session and of this very request (D13). */
export function consents({ session, client }: Pick<GuestActor, 'session' | 'client'>): boolean {
  return session.data.flags.consentTelemetry && !client.declinesTelemetry
}

/**
 * The guest with the newest version of the session. While work was waiting, consent may have been
 * withdrawn, which applies at once in every process (C8); null when the session was cleared.
 */
export async function reloadSession<A extends GuestActor>(
  { sessions }: { readonly sessions: Pick<GuestSessions, 'reload'> },
  actor: A,
): Promise<A | null> {
  const session = await sessions.reload(actor.session)
  return session === null ? null : { ...actor, session }
}
