import { problem } from '@melmastoon/domain'
import type { ReplayStore } from '@melmastoon/security'
import type { KeyPrefix, Redis } from '../redis/index.ts'

/**
 * Records one-time values. It belongs on the instance that evicts nothing (D21). While that is
 * unavailable, prior use cannot be excluded, so every use is rejected (D22).
 */
export function createReplayStoreRedis(redis: Redis, keyPrefix: KeyPrefix): ReplayStore {
  return {
    async claim(key, ttlMs) {
      try {
        return (await redis.set(`${keyPrefix}${key}`, '1', 'PX', ttlMs, 'NX')) === 'OK'
      } catch (cause) {
        throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
      }
    },
  }
}
