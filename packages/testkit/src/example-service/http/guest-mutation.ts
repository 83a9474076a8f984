import type { IdempotentRouteOptions, SchemaRequest, SessionHook } from '@melmastoon/chassis/http'
import type { ExampleContext } from '../context.ts'
import type { GuestSession } from '../guest-session.ts'
import type { TenantParams } from './schemas.ts'

const DAY_MS = 86_400_000

/** What all mutations by guests have in common: who asks, for which tenant, for how long we know. */
export function guestMutation<R extends SchemaRequest<{ params: typeof TenantParams }>>(
  ctx: ExampleContext,
  session: SessionHook<GuestSession>,
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
