import { isId, problem, type TenantId } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'

/** The tenant a scoped operation works for; without one nothing is read at all. */
export function requireTenant(request: FastifyRequest): TenantId {
  const value = request.headers['x-tenant-id']
  if (isId('tnt', value)) return value
  throw problem('MELMASTOON.TENANT.CONTEXT_REQUIRED')
}
