import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { RequestLimits } from '@melmastoon/chassis/limits'
import type { TenantId } from '@melmastoon/domain'
import type { Limits } from './create-limits.ts'

/** The limit of a guest that a request counts towards. */
export type LimitClass = 'read' | 'change'

export interface RequestLimitDeps {
  readonly limits: Limits
  readonly background: Pick<BackgroundWork, 'run'>
}

export interface LimitedClient {
  readonly sessionId: string | undefined
  readonly addressHash: string
  readonly tenantId: TenantId
}

/** The guest's own limit, and the wide ones of the address and the tenant. */
export function requestLimits(
  { limits, background }: RequestLimitDeps,
  { sessionId, addressHash, tenantId }: LimitedClient,
  limitClass: LimitClass,
): RequestLimits {
  return {
    own: { limiter: limits[limitClass], key: `${tenantId} ${sessionId ?? addressHash}` },
    shared: {
      limits: [
        { limiter: limits.address, key: addressHash },
        { limiter: limits.tenant, key: tenantId },
      ],
      runInBackground: (name, work) => background.run(name, work),
    },
  }
}
