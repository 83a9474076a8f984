import { type Id, type IdPrefix, type Problem, problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PresentedCookie, Session, SessionLookup, SessionStore } from '../sessions/index.ts'
import { readCookie } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    sessionLookup: SessionLookup<unknown>
  }
}

export interface SessionHook<T, P extends IdPrefix = IdPrefix> {
  /** An `onRequest` hook. It never rejects: whether a session is required is up to the route. */
  readonly hook: (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ) => void
  readonly lookupOf: (request: FastifyRequest) => SessionLookup<T, P>
  /** @throws Problem without a session, or while the store is unavailable (D22). */
  readonly requireSession: (request: FastifyRequest) => Session<T, P>
  /**
   * Also while the store is unavailable: the cookie is verified, the data is that of a new session
   * (D25). @throws Problem without a session.
   */
  readonly requireSessionWithoutStore: (request: FastifyRequest) => Session<T, P>
}

export interface SessionHookOptions<T, P extends IdPrefix> {
  /** A function where it depends on the address of the request (D26). */
  readonly cookieName: string | ((request: FastifyRequest) => string)
  /** The data of a session for which nothing is stored, taken from this request. */
  readonly initialData: (request: FastifyRequest, id: Id<P>) => T
  /** Called before the session is read from Redis, to request more at the same time. */
  readonly onRead?: (request: FastifyRequest, id: Id<P>) => void
  /** The tenant of the sessions of this request; omitted where sessions belong to no tenant. */
  readonly tenantOf?: (request: FastifyRequest) => string
}

const NONE: SessionLookup<never, never> = { kind: 'none' }

/** Looks up the session of the cookie; synchronously when this process has a fresh copy. */
export function createSessionHook<T, P extends IdPrefix>(
  store: SessionStore<T, P>,
  { cookieName, initialData, onRead, tenantOf }: SessionHookOptions<T, P>,
): SessionHook<T, P> {
  const nameOf = typeof cookieName === 'string' ? () => cookieName : cookieName
  const lookupOf = (request: FastifyRequest) => request.sessionLookup as SessionLookup<T, P>
  const cookieOf = (request: FastifyRequest): PresentedCookie<T, P> | null => {
    const value = readCookie(request.headers.cookie, nameOf(request))
    if (value === undefined) return null
    const tenantId = tenantOf?.(request) ?? ''
    return {
      value,
      tenantId,
      initialData: (id) => initialData(request, id),
      onRead: (id) => onRead?.(request, id),
    }
  }
  return {
    lookupOf,
    requireSession(request) {
      const lookup = lookupOf(request)
      if (lookup.kind === 'found') return lookup.session
      if (lookup.kind === 'none') throw noSession(request.headers.cookie, nameOf(request))
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    },
    requireSessionWithoutStore(request) {
      const lookup = lookupOf(request)
      if (lookup.kind !== 'none') return lookup.session
      throw noSession(request.headers.cookie, nameOf(request))
    },
    hook(request, _reply, done) {
      const cookie = cookieOf(request)
      const session = cookie && store.loadNow(cookie)
      if (cookie === null || session !== null) {
        request.sessionLookup = session === null ? NONE : { kind: 'found', session }
        done()
        return
      }
      store.load(cookie).then((lookup) => {
        request.sessionLookup = lookup
        done()
      }, done)
    },
  }
}

function noSession(header: string | undefined, cookieName: string): Problem {
  const isNew = readCookie(header, cookieName) === undefined
  const detail = isNew ? 'The request has no session cookie: start a session first' : undefined
  return problem('MELMASTOON.SESSION.COOKIE_INVALID', { detail })
}
