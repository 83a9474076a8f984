import { isId, problem, type TenantId } from '@melmastoon/domain'
import type { CallingService, ServiceVerifier } from '@melmastoon/upstream-contracts/auth'
import type { FastifyRequest } from 'fastify'

const callers = new WeakMap<FastifyRequest, CallingService>()

/** Runs before any other processing: only services of the platform may call an upstream. */
export function verifyCaller(verifier: ServiceVerifier) {
  return async (request: FastifyRequest) => {
    callers.set(request, await verifier.verify(request.headers))
  }
}

export function callerOf(request: FastifyRequest): CallingService {
  const caller = callers.get(request)
  if (caller === undefined) throw new TypeError('the route did not verify its caller')
  return caller
}

/** The tenant of a tenant-scoped operation. */
export function requireTenant(request: FastifyRequest): TenantId {
  const value = request.headers['x-tenant-id']
  if (isId('tnt', value)) return value
  throw problem('MELMASTOON.TENANT.CONTEXT_REQUIRED')
}
