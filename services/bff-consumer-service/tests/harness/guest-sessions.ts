import { hash } from 'node:crypto'
import type { ClientInfo } from '@melmastoon/bff/guests'
import type { GuestSessionId } from '@melmastoon/domain'
import type { GuestSession } from '../../src/sessions/guest-session.ts'
import { derivedGuestSession } from '../../src/sessions/new-guest-session.ts'
import type { RunningConsumer } from './start-consumer.ts'

export const TEST_CLIENT: ClientInfo = {
  address: '127.0.0.1',
  userAgent: 'a test',
  acceptLanguage: undefined,
  currency: undefined,
  country: undefined,
  campaign: { source: undefined, medium: undefined, campaign: undefined },
  declinesTelemetry: false,
}

/** The Redis key of a session or of its tombstone. */
export function sessionKeyOf(id: string): string {
  return `bff-consumer-service:v1:session:${hash('sha256', id, 'base64url')}`
}

/** A cookie in the form in which the session hook passes it to the store. */
export function presented({ ctx }: Pick<RunningConsumer, 'ctx'>, cookie: string) {
  return {
    value: cookie.slice(cookie.indexOf('=') + 1),
    initialData: (id: GuestSessionId) => derivedGuestSession(id, TEST_CLIENT, ctx),
  }
}

/** The session of a cookie, whether or not anything is stored for it. */
export async function sessionBy(
  running: Pick<RunningConsumer, 'ctx'>,
  { cookie }: { readonly cookie: string },
): Promise<GuestSession> {
  const lookup = await running.ctx.sessions.load(presented(running, cookie))
  if (lookup.kind !== 'found') throw new TypeError(`no session: ${lookup.kind}`)
  return lookup.session
}

/** Counts the sessions that a service starts from now on. */
export function countStarts({ ctx: { sessions } }: Pick<RunningConsumer, 'ctx'>): () => number {
  const start = sessions.start.bind(sessions)
  let starts = 0
  sessions.start = (...args) => {
    starts += 1
    return start(...args)
  }
  return () => starts
}
