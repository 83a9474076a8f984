import type { ServiceAuth } from '../auth/index.ts'
import type { UpstreamName } from '../contract.ts'

/** Where the upstreams are, and how to be let in. */
export interface Target {
  /** Without the contract's own base path. */
  baseUrlOf(upstream: UpstreamName): string
  authOf(upstream: UpstreamName): ServiceAuth
}
