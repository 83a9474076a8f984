import { type Problem, problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session, SessionLookup, SessionStore } from '../sessions/index.ts'
import { readCookie } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    sessionLookup: SessionLookup<unknown>
  }
}

export interface SessionHook<T> {
  /** An `onRequest` hook. It never refuses: whether a session is needed is the route's matter. */
  readonly hook: (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ) => void
  readonly lookupOf: (request: FastifyRequest) => SessionLookup<T>
  /** @throws Problem when there is none, or when nobody can tell (D22: mutations fail closed). */
  readonly requireSession: (request: FastifyRequest) => Session<T>
}

const NONE: SessionLookup<never> = { kind: 'none' }

/** Looks the session of the cookie up; without waiting when this process knows it already. */
export function createSessionHook<T>(store: SessionStore<T>, cookieName: string): SessionHook<T> {
  const lookupOf = (request: FastifyRequest) => request.sessionLookup as SessionLookup<T>
  return {
    lookupOf,
    requireSession(request) {
      const lookup = lookupOf(request)
      if (lookup.kind === 'found') return lookup.session
      if (lookup.kind === 'none') throw noSession(request.headers.cookie, cookieName)
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    },
    hook(request, _reply, done) {
      const value = readCookie(request.headers.cookie, cookieName)
      const session = value === undefined ? null : store.loadNow(value)
      if (value === undefined || session !== null) {
        request.sessionLookup = session === null ? NONE : { kind: 'found', session }
        done()
        return
      }
      store.load(value).then((lookup) => {
        request.sessionLookup = lookup
        done()
      }, done)
    },
  }
}

function noSession(header: string | undefined, cookieName: string): Problem {
  const isNew = readCookie(header, cookieName) === undefined
  const detail = isNew ? 'There is no session yet: start one first' : undefined
  return problem('MELMASTOON.SESSION.COOKIE_INVALID', { detail })
}
