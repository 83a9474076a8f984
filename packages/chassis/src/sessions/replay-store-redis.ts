import { problem } from '@melmastoon/domain'
import type { ReplayStore } from '@melmastoon/security'
import type { KeyPrefix, Redis } from '../redis/index.ts'

/**
 * Remembers what may be used once. It belongs on the instance that evicts nothing (D21), and when
 * that is away nobody can tell whether a thing was used: it refuses (D22).
 */
export function createReplayStoreRedis(redis: Redis, keyPrefix: KeyPrefix): ReplayStore {
  return {
    async remember(key, ttlMs) {
      try {
        return (await redis.set(`${keyPrefix}${key}`, '1', 'PX', ttlMs, 'NX')) === 'OK'
      } catch (cause) {
        throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
      }
    },
  }
}
