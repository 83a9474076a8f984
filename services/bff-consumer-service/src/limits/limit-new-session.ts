import type { Limiter } from '@melmastoon/chassis/limits'
import type { KeyedHash } from '@melmastoon/security'
import { limitRefusal } from './limit-visit.ts'

export interface NewSessionLimits {
  readonly limits: Readonly<Record<'newSessionAddress' | 'newSessionSite', Limiter>>
  readonly hashes: KeyedHash
}

/**
 * By address and network only, because a client can send any header. The wider limit counts only
 * what the narrower one allows: one subscriber does not use up what the whole site has.
 * @throws Problem beyond the limit: then pages are served without a session.
 */
export async function limitNewSession(
  { limits, hashes }: NewSessionLimits,
  address: string,
): Promise<void> {
  const [network, site] = [hashes.hashAddress(address), hashes.hashAddress(address, 48)]
  await take(limits.newSessionAddress, network)
  // An IPv4 address is both.
  if (site !== network) await take(limits.newSessionSite, site)
}

async function take(limiter: Limiter, key: string): Promise<void> {
  const error = limitRefusal(await limiter.take(key))
  if (error !== undefined) throw error
}
