import type { Limiter } from '@melmastoon/chassis/limits'
import type { KeyedHash } from '@melmastoon/security'
import { limitRefusal } from './limit-visit.ts'

export interface NewSessionLimits {
  readonly limits: Readonly<Record<'newSessionAddress' | 'newSessionSite', Limiter>>
  readonly hashes: KeyedHash
}

/**
 * By address and network only, because a client can send any header. For an IPv4 address both
 * limits count the same requests, and the first is the narrower.
 * @throws Problem beyond the limit: then pages are served without a session.
 */
export async function limitNewSession(
  { limits, hashes }: NewSessionLimits,
  address: string,
): Promise<void> {
  const decisions = await Promise.all([
    limits.newSessionAddress.take(hashes.hashAddress(address)),
    limits.newSessionSite.take(hashes.hashAddress(address, 48)),
  ])
  const rejected = decisions.find(({ allowed }) => !allowed)
  const error = rejected && limitRefusal(rejected)
  if (error !== undefined) throw error
}
