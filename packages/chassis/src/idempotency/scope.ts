import { createHmac, hash } from 'node:crypto'
import type { TenantId } from '@melmastoon/domain'

/** The caller that used a key. The same key of another principal is a different key. */
export interface CallerScope {
  readonly service: string
  readonly tenantId: TenantId | null
  /** The session, or operator and device. */
  readonly principal: string
  readonly key: string
}

/**
 * Where a key is valid (D24): for one operation of one caller. The operation is the stable name of
 * the route, not its address, so a key used through two addresses of it is one request.
 */
export interface IdempotencyScope extends CallerScope {
  readonly operation: string
  readonly deviceId?: string | undefined
  readonly operatorId?: string | undefined
}

/** A digest: neither key nor principal can be read from it. */
export function callerKey({ service, tenantId, principal, key }: CallerScope): string {
  if (principal === '') throw new TypeError('an idempotency scope needs a principal')
  return hash('sha256', JSON.stringify([service, tenantId, principal, key]), 'base64url')
}

/**
 * The stored form of the scope. It begins with the caller's key, so that all operations that used
 * the key are next to each other in the index.
 */
export function scopeKey(scope: IdempotencyScope): string {
  if (!OPERATION.test(scope.operation)) {
    throw new TypeError(`${JSON.stringify(scope.operation)} is not the name of an operation`)
  }
  return `${callerKey(scope)}.${scope.operation}`
}

const OPERATION = /^[\w.:-]{1,100}$/

/**
 * The key an upstream receives for one step. It depends on nothing but scope and step, so a retry
 * in any process finds the same upstream record.
 */
export function deriveUpstreamKey(secret: Buffer, storedKey: string, step: string): string {
  if (step === '') throw new TypeError('an upstream step needs a name')
  return createHmac('sha256', secret).update(`${storedKey}\u0000${step}`).digest('base64url')
}
