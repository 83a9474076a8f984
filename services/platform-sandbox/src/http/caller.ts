import { isId, problem, type TenantId } from '@melmastoon/domain'
import type { CallingService, ServiceVerifier } from '@melmastoon/upstream-contracts/auth'
import type { FastifyRequest } from 'fastify'

const callers = new WeakMap<FastifyRequest, CallingService>()

/** Before anything is read or run: nobody but a service of the platform calls an upstream. */
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

/** The tenant a scoped operation works for; without one nothing is read at all. */
export function requireTenant(request: FastifyRequest): TenantId {
  const value = request.headers['x-tenant-id']
  if (isId('tnt', value)) return value
  throw problem('MELMASTOON.TENANT.CONTEXT_REQUIRED')
}
