import type { SessionHook } from '@melmastoon/chassis/http'
import type { FastifyRequest } from 'fastify'
import type { GuestSession, GuestSessionData } from '../sessions/guest-session.ts'
import type { Visit } from '../sessions/visit.ts'
import { readVisit } from './read-visit.ts'

export interface Visitor {
  readonly visit: Visit
  readonly guest: GuestSession | undefined
  /** She has no session; one that cannot be looked up now is not replaced. */
  readonly isNew: boolean
}

export function meetVisitor(
  session: SessionHook<GuestSessionData, 'gms'>,
  request: FastifyRequest,
): Visitor {
  const lookup = session.lookupOf(request)
  return {
    visit: readVisit(request),
    guest: lookup.kind === 'found' ? lookup.session : undefined,
    isNew: lookup.kind === 'none',
  }
}
