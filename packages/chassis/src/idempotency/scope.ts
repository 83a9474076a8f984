import { createHmac, hash } from 'node:crypto'
import type { TenantId } from '@melmastoon/domain'

/**
 * Where a key is valid (D8). A key known to somebody else is another key: the principal is part of
 * the scope, so it opens nothing.
 */
export interface IdempotencyScope {
  readonly service: string
  readonly tenantId: TenantId | null
  /** The session, or operator and device. */
  readonly principal: string
  readonly method: string
  /** The route template, not the address. */
  readonly route: string
  readonly key: string
  readonly deviceId?: string | undefined
  readonly operatorId?: string | undefined
}

/** The stored form of the scope: fixed length, neither key nor principal can be read from it. */
export function scopeDigest(scope: IdempotencyScope): string {
  const { service, tenantId, principal, method, route, key } = scope
  if (principal === '') throw new TypeError('an idempotency scope needs a principal')
  const parts = [service, tenantId, principal, method.toUpperCase(), route, key]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

/**
 * The key an upstream sees for one step. It depends on nothing but scope and step: whoever retries,
 * in whatever process, meets the same upstream record.
 */
export function deriveUpstreamKey(secret: Buffer, digest: string, step: string): string {
  if (step === '') throw new TypeError('an upstream step needs a name')
  return createHmac('sha256', secret).update(`${digest}\u0000${step}`).digest('base64url')
}
