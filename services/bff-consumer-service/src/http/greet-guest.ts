import type { Session } from '@melmastoon/chassis/sessions'
import type { FastifyReply } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { keepSession } from '../sessions/keep-session.ts'
import { renewSessionCookie } from './session-cookie.ts'

/** A known guest is here: her session goes on, and once a day so does her cookie (C1). */
export function greetGuest(
  ctx: ConsumerContext,
  reply: FastifyReply,
  guest: Session<GuestSession> | undefined,
): void {
  if (guest !== undefined && keepSession(ctx, guest).renewsCookie) renewSessionCookie(reply)
}
