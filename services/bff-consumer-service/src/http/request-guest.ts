import {
  type ClientInfo,
  clearSessionCookie,
  readClientInfo,
  setSessionCookie,
} from '@melmastoon/bff/guests'
import { eventCause, type SessionHook } from '@melmastoon/chassis/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import {
  COOKIE_NAME,
  type GuestSession,
  type GuestSessionData,
  SESSION_TTL_SECONDS,
} from '../sessions/guest-session.ts'
import { touchSession } from '../sessions/touch-session.ts'

export type GuestSessionHook = SessionHook<GuestSessionData, 'gms'>

const COOKIE = { name: COOKIE_NAME, maxAgeSeconds: SESSION_TTL_SECONDS }

/** Who sends a request. */
export interface RequestGuest {
  readonly client: ClientInfo
  readonly guest: GuestSession | undefined
  /** Without a session; one that cannot be read now is not replaced. */
  readonly isNew: boolean
}

export function readRequestGuest(session: GuestSessionHook, request: FastifyRequest): RequestGuest {
  const lookup = session.lookupOf(request)
  return {
    client: readClientInfo(request),
    guest: lookup.kind === 'found' ? lookup.session : undefined,
    isNew: lookup.kind === 'none',
  }
}

/** @throws Problem without a session. */
export function requireGuestActor(
  ctx: ConsumerContext,
  session: GuestSessionHook,
  request: FastifyRequest,
): GuestActor {
  return guestActor(ctx, session.requireSession(request), request)
}

export function guestActor(
  ctx: ConsumerContext,
  session: GuestSession,
  request: FastifyRequest,
): GuestActor {
  return { session, client: readClientInfo(request), cause: () => eventCause(ctx, request) }
}

export function setGuestCookie(reply: FastifyReply, cookieValue: string): void {
  setSessionCookie(reply, cookieValue, COOKIE)
}

export function clearGuestCookie(reply: FastifyReply): void {
  clearSessionCookie(reply, COOKIE_NAME)
}

/** Records that a known guest was seen, and renews the cookie once a day (C1). */
export function renewCookieIfDue(
  ctx: ConsumerContext,
  reply: FastifyReply,
  guest: GuestSession | undefined,
): void {
  if (guest === undefined || !touchSession(ctx, guest).renewsCookie) return
  setGuestCookie(reply, ctx.sessions.cookieValueOf(guest))
}
