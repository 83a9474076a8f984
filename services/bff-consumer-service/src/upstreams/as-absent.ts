import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { problem } from '@melmastoon/domain'

/** That there is no such thing is an answer, too. */
export function asAbsent(error: unknown): null {
  if (error instanceof UpstreamRefusal && error.status === 404) return null
  return asBrokenContract(error)
}

/** For questions that no contract lets an upstream refuse: it is not the guest's fault. */
export function asBrokenContract(error: unknown): never {
  if (!(error instanceof UpstreamRefusal)) throw error
  throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { cause: error })
}
