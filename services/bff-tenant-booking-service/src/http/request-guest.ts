import {
  type ClientRequest,
  type CookieReply,
  readClientInfo,
  setSessionCookie,
} from '@melmastoon/bff/guests'
import {
  createSessionHook,
  eventCause,
  type IdempotentRouteOptions,
  type SessionHook,
  sessionMutation,
} from '@melmastoon/chassis/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BookingContext } from '../context.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import {
  type BookingSession,
  type BookingSessionData,
  SESSION_TTL_SECONDS,
} from '../sessions/booking-session.ts'
import { deviceClassOf } from '../sessions/device-class.ts'
import { derivedBookingSession, type NewGuest } from '../sessions/new-booking-session.ts'
import { sessionCookieName } from '../sessions/session-cookie-name.ts'
import { choosePreferences } from '../sessions/site-preferences.ts'
import { type ContinuedSession, continueSession } from '../sessions/start-session.ts'
import type { Site } from '../site/site.ts'

export type BookingSessionHook = SessionHook<BookingSessionData, 'tnt_session'>

/** A session belongs to one tenant: the cookie of another one counts as none (D26). */
export function createBookingSessionHook(ctx: BookingContext): BookingSessionHook {
  return createSessionHook(ctx.sessions, {
    cookieName: ({ site }) => sessionCookieName(site),
    tenantOf: ({ site }) => site.tenantId,
    initialData: (request, id) => derivedBookingSession(id, newGuestOf(request, request.site), ctx),
  })
}

export function newGuestOf(request: ClientRequest, site: Site): NewGuest {
  const client = readClientInfo(request)
  const surface = request.headers['x-client-surface']
  const deviceClass = deviceClassOf(
    client.userAgent,
    typeof surface === 'string' ? surface : undefined,
  )
  return { site, client, deviceClass }
}

/**
 * For private responses to GET: the session of the request, or a new one with its cookie. A request
 * with an idempotency key needs a session already, because the session is part of the key's scope.
 */
export function ensureSession(
  ctx: BookingContext,
  session: BookingSessionHook,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): BookingSession {
  const { request, reply } = exchange
  const { site } = request
  const lookup = session.lookupOf(request)
  if (lookup.kind === 'unavailable') return lookup.session
  const known = lookup.kind === 'found' ? lookup.session : undefined
  const continued = continueSession(ctx, known, () => newGuestOf(request, site))
  setCookieIfNew(reply, site, continued)
  return continued.session
}

export function setCookieIfNew(
  reply: CookieReply,
  site: Site,
  { cookieValue }: Pick<ContinuedSession, 'cookieValue'>,
): void {
  if (cookieValue === null) return
  const options = { name: sessionCookieName(site), maxAgeSeconds: SESSION_TTL_SECONDS }
  setSessionCookie(reply, cookieValue, options)
}

/**
 * Who acts: `bookingActor(ctx, request, hooks.session.requireSession(request))`.
 * @param query names the locale or the currency of this response only.
 * @throws Problem for a locale or currency that the site does not have.
 */
export function bookingActor(
  ...[ctx, request, session, query = {}]: [
    ctx: BookingContext,
    request: FastifyRequest,
    session: BookingSession,
    query?: { readonly locale?: string; readonly currency?: string },
  ]
): BookingActor {
  const { site } = request
  const client = readClientInfo(request)
  return {
    site,
    session,
    client,
    // Created on first use: a response from a cache needs neither.
    get deadline() {
      return request.deadline
    },
    get trace() {
      return request.trace
    },
    ...choosePreferences(site, { query, client, stored: session.data }),
    cause: () => eventCause(ctx, request, { tenantId: site.tenantId }),
  }
}

export interface BookingMutation {
  readonly ctx: BookingContext
  readonly session: BookingSessionHook
  /** For money routes: the session is verified without its store (D25). */
  readonly withoutStore?: boolean
  readonly leaseMs?: number
}

/** The idempotency options of a guest's request at a site: both addresses share keys (D24). */
export function bookingMutation<R extends FastifyRequest>({
  ctx,
  session,
  withoutStore = false,
  leaseMs,
}: BookingMutation): IdempotentRouteOptions<R> {
  const { requireSession, requireSessionWithoutStore } = session
  return {
    ...sessionMutation<R>({
      ctx,
      session: { requireSession: withoutStore ? requireSessionWithoutStore : requireSession },
      tenant: ({ site }) => site.tenantId,
      ...(leaseMs !== undefined && { leaseMs }),
    }),
    significantHeaders: ['x-currency'],
  }
}
