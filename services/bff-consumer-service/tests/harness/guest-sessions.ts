import { hash } from 'node:crypto'
import type { ClientInfo } from '@melmastoon/bff/guests'
import type { GuestSessionId } from '@melmastoon/domain'
import type { GuestSession } from '../../src/sessions/guest-session.ts'
import { derivedGuestSession } from '../../src/sessions/new-guest-session.ts'
import type { Running } from './start-consumer.ts'

export const TEST_CLIENT: ClientInfo = {
  address: '127.0.0.1',
  userAgent: 'a test',
  acceptLanguage: undefined,
  currency: undefined,
  country: undefined,
  campaign: { source: undefined, medium: undefined, campaign: undefined },
  declinesTelemetry: false,
}

/** Under which key Redis has a session, or the tombstone of one. */
export function sessionKeyOf(id: string): string {
  return `bff-consumer-service:v1:session:${hash('sha256', id, 'base64url')}`
}

/** As the session hook presents a cookie to the store. */
export function presented({ ctx }: Pick<Running, 'ctx'>, cookie: string) {
  return {
    value: cookie.slice(cookie.indexOf('=') + 1),
    initialData: (id: GuestSessionId) => derivedGuestSession(id, TEST_CLIENT, ctx.hashes),
  }
}

/** The session of a cookie, whether or not anything is stored for it. */
export async function sessionBy(
  running: Pick<Running, 'ctx'>,
  { cookie }: { readonly cookie: string },
): Promise<GuestSession> {
  const lookup = await running.ctx.sessions.load(presented(running, cookie))
  if (lookup.kind !== 'found') throw new TypeError(`no session: ${lookup.kind}`)
  return lookup.session
}

/** How many sessions a service starts from now on. */
export function countStarts({ ctx: { sessions } }: Pick<Running, 'ctx'>): () => number {
  const start = sessions.start.bind(sessions)
  let starts = 0
  sessions.start = (...args) => {
    starts += 1
    return start(...args)
  }
  return () => starts
}
