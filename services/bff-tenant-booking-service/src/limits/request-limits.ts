import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { RequestLimits } from '@melmastoon/chassis/limits'
import type { TenantId } from '@melmastoon/domain'
import type { Limits } from './create-limits.ts'

/** The limit of a guest that a request counts towards. */
export type LimitClass = 'read' | 'change'

export interface RequestLimitDeps {
  readonly limits: Limits
  readonly background: Pick<BackgroundWork, 'run'>
  readonly flags: { isFlashSale(tenantId: TenantId): boolean }
}

export interface LimitedClient {
  readonly sessionId: string | undefined
  readonly addressHash: string
  readonly tenantId: TenantId
}

/** The guest's own limit, and the wide ones of the address and the tenant. */
export function requestLimits(
  { limits, background, flags }: RequestLimitDeps,
  { sessionId, addressHash, tenantId }: LimitedClient,
  limitClass: LimitClass,
): RequestLimits {
  const ofTenant = flags.isFlashSale(tenantId) ? limits.tenantFlashSale : limits.tenant
  return {
    own: { limiter: limits[limitClass], key: `${tenantId} ${sessionId ?? addressHash}` },
    shared: {
      limits: [
        { limiter: limits.address, key: addressHash },
        { limiter: ofTenant, key: tenantId },
      ],
      runInBackground: (name, work) => background.run(name, work),
    },
  }
}
