import {
  eventCause,
  type IdempotentRouteOptions,
  type SchemaRequest,
  type SessionHook,
} from '@melmastoon/chassis/http'
import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { TenantParams } from './schemas.ts'

type TenantRequest = SchemaRequest<{ params: typeof TenantParams }>

const DAY_MS = 86_400_000

/**
 * What all mutations by guests have in common: who asks, for which tenant, for how long we know.
 */
export function guestMutation<R extends TenantRequest>(
  ctx: ExampleContext,
  session: SessionHook<GuestSession, 'gms'>,
  leaseMs: number,
): IdempotentRouteOptions<R> {
  return {
    store: ctx.idempotency,
    service: ctx.config.service,
    ttlMs: DAY_MS,
    leaseMs,
    principal: (request) => session.requireSession(request).id,
    tenant: (request) => request.params.tenantId,
  }
}

export function guestCause(
  ctx: ExampleContext,
  session: SessionHook<GuestSession, 'gms'>,
  request: TenantRequest,
): EventContext {
  return eventCause(ctx, request, {
    tenantId: request.params.tenantId,
    sessionId: session.requireSession(request).id,
  })
}
