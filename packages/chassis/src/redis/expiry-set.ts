import type { Redis } from 'ioredis'
import { defineScript } from './define-script.ts'
import type { KeyPrefix } from './key-space.ts'

export interface Expiry {
  readonly id: string
  readonly at: Date
}

export interface ExpirySetOptions {
  /** The instance that evicts nothing: an evicted set would forget all its expiries. */
  readonly redis: Redis
  readonly prefix: KeyPrefix
}

/**
 * Ids in the order in which they expire, as one sorted set. What is due is decided by the time of
 * the Redis server, the same for all processes. It is an index and not the authority: after a loss
 * the caller schedules again from its rows.
 */
export interface ExpirySet {
  /** Replaces an earlier time of the same id. */
  schedule(id: string, at: Date): Promise<void>
  /** Those due longest come first. They stay in the set until they are removed. */
  due(limit: number): Promise<Expiry[]>
  /** With `at` only if it was not rescheduled since `due` returned it. */
  remove(id: string, at?: Date): Promise<boolean>
  /** All entries, due or not. */
  count(): Promise<number>
}

const DUE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[1], 'WITHSCORES')`

const REMOVE = `
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] ~= '' and score and tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])`

/** One call blocks Redis for less than a millisecond. */
const LIMIT_MAX = 1_000

export function createExpirySet({ redis, prefix }: ExpirySetOptions): ExpirySet {
  const key = `${prefix}all`
  const due = defineScript(redis, { name: 'expiry-due', lua: DUE, numberOfKeys: 1 })
  const remove = defineScript(redis, { name: 'expiry-remove', lua: REMOVE, numberOfKeys: 1 })
  return {
    async schedule(id, at) {
      const atMs = at.getTime()
      if (Number.isNaN(atMs)) throw new TypeError('an expiry needs a valid time')
      await redis.zadd(key, atMs, id)
    },
    async due(limit) {
      const flat = (await due.run([key], [Math.min(limit, LIMIT_MAX)])) as string[]
      return Array.from({ length: flat.length / 2 }, (_, index) => ({
        id: flat[2 * index] ?? '',
        at: new Date(Number(flat[2 * index + 1])),
      }))
    },
    async remove(id, at) {
      return (await remove.run([key], [id, at === undefined ? '' : at.getTime()])) === 1
    },
    count: () => redis.zcard(key),
  }
}
