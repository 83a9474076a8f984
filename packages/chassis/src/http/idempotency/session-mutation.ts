import type { TenantId } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import type { IdempotencyStore } from '../../idempotency/index.ts'
import type { IdempotentRouteOptions } from './idempotent-route.ts'

const DAY_MS = 86_400_000
const LEASE_MS = 10_000

export interface SessionMutation<R extends FastifyRequest> {
  readonly ctx: {
    readonly idempotency: IdempotencyStore
    readonly config: { readonly service: string }
  }
  readonly session: { requireSession(request: FastifyRequest): { readonly id: string } }
  /** By default the mutation belongs to no tenant. */
  readonly tenant?: (request: R) => TenantId | null
  /** How long a response is replayed. */
  readonly ttlMs?: number
  readonly leaseMs?: number
}

/** The idempotency options of a mutation in a session, which is the principal (D8). */
export function sessionMutation<R extends FastifyRequest>({
  ctx,
  session,
  tenant = () => null,
  ttlMs = DAY_MS,
  leaseMs = LEASE_MS,
}: SessionMutation<R>): IdempotentRouteOptions<R> {
  const principal = (request: R) => session.requireSession(request).id
  return { store: ctx.idempotency, service: ctx.config.service, ttlMs, leaseMs, principal, tenant }
}
