import type { FastifyReply } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { keepSession } from '../sessions/keep-session.ts'
import { setSessionCookie } from './session-cookie.ts'

/** A known guest is here: her session goes on, and once a day so does her cookie (C1). */
export function greetGuest(
  ctx: ConsumerContext,
  reply: FastifyReply,
  guest: GuestSession | undefined,
): void {
  if (guest !== undefined && keepSession(ctx, guest).renewsCookie) {
    setSessionCookie(reply, ctx.sessions.cookieValueOf(guest))
  }
}
