import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { Limiter, RequestLimits } from '@melmastoon/chassis/limits'
import type { Limits } from './create-limits.ts'

/** The limit of a guest that a request counts towards. */
export type LimitClass = 'read' | 'change' | 'handoff'

export interface RequestLimitDeps {
  readonly limits: Limits
  readonly flags: { isCampaign(): boolean }
  readonly background: Pick<BackgroundWork, 'run'>
}

export interface LimitedClient {
  readonly sessionId: string | undefined
  readonly addressHash: string
  readonly deviceHash: string
  readonly fingerprintHash: string
  /** Has more fields than that of a request, so fewer guests share it. */
  readonly sessionFingerprintHash: string | undefined
}

/** The guest's own limit, and the wide ones of address, device and fingerprint. */
export function requestLimits(
  deps: RequestLimitDeps,
  client: LimitedClient,
  limitClass: LimitClass,
): RequestLimits {
  const { limits, background } = deps
  const { sessionId, addressHash, deviceHash } = client
  const fingerprint = client.sessionFingerprintHash ?? client.fingerprintHash
  return {
    own: {
      limiter: ownLimiter(deps, limitClass),
      key: sessionId ?? addressHash,
    },
    shared: {
      limits: [
        { limiter: limits.address, key: addressHash },
        { limiter: limits.device, key: deviceHash },
        { limiter: limits.fingerprint, key: fingerprint },
      ],
      runInBackground: (name, work) => background.run(name, work),
    },
  }
}

function ownLimiter({ limits, flags }: RequestLimitDeps, limitClass: LimitClass): Limiter {
  const isCampaign = limitClass === 'handoff' && flags.isCampaign()
  return isCampaign ? limits.handoffInCampaign : limits[limitClass]
}
