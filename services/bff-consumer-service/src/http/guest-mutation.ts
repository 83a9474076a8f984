import type { IdempotentRouteOptions, SessionHook } from '@melmastoon/chassis/http'
import type { FastifyRequest } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import type { GuestSessionData } from '../sessions/guest-session.ts'

const DAY_MS = 86_400_000
const LEASE_MS = 10_000

export interface GuestMutation {
  readonly ctx: ConsumerContext
  readonly session: SessionHook<GuestSessionData, 'gms'>
  /** How long a response is replayed. */
  readonly ttlMs?: number
}

/** The idempotency options of all mutations by guests (D8): the session is the principal. */
export function guestMutation<R extends FastifyRequest>({
  ctx,
  session,
  ttlMs = DAY_MS,
}: GuestMutation): IdempotentRouteOptions<R> {
  return {
    store: ctx.idempotency,
    service: ctx.config.service,
    ttlMs,
    leaseMs: LEASE_MS,
    principal: (request) => session.requireSession(request).id,
    tenant: () => null,
  }
}
