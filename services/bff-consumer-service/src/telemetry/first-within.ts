import type { Clock } from '@melmastoon/chassis/clock'
import { LRUCache } from 'lru-cache'
import type { ConsumerContext } from '../context.ts'

const SEEN_MAX = 50_000

export type SeenLately = LRUCache<string, true>

export function createSeenLately(clock: Clock): SeenLately {
  return new LRUCache({ max: SEEN_MAX, perf: { now: () => clock.nowMs() } })
}

/**
 * Whether this is the first of its kind within so many seconds, over all processes. What this one
 * has seen needs no question, and is all there is to go by while Redis is away (D22).
 */
export async function firstWithin(
  { seenLately, cacheRedis, errors }: Pick<ConsumerContext, 'seenLately' | 'cacheRedis' | 'errors'>,
  key: string,
  seconds: number,
): Promise<boolean> {
  if (seenLately.has(key)) return false
  seenLately.set(key, true, { ttl: seconds * 1_000 })
  try {
    return (await cacheRedis.set(`seen:${key}`, '1', 'EX', seconds, 'NX')) === 'OK'
  } catch (error) {
    errors.report('once-only-keys', error)
    return true
  }
}
