import type { Clock } from '../clock/index.ts'
import {
  acceptsCommands,
  channelOf,
  defineScript,
  type KeyPrefix,
  type Redis,
} from '../redis/index.ts'
import type { CacheEntry } from './cache-entry.ts'
import { type CacheKey, entryId } from './cache-key.ts'
import { decodeFrame, frameWriteId } from './frame.ts'

/** The value in Redis: the id even when the frame cannot be read, so that it can be replaced. */
export interface Snapshot {
  writeId: string
  entry: CacheEntry | null
}

export const EMPTY_SNAPSHOT: Snapshot = { writeId: '', entry: null }

export type Acquired =
  | { kind: 'leader' }
  | { kind: 'newer'; snapshot: Snapshot }
  | { kind: 'held'; holder: string; remainingMs: number }

export interface Lease {
  key: CacheKey
  token: string
}

/**
 * Entries and leases in the evicting instance. A lease evicted under memory pressure only means
 * that its holder's write is rejected. Every method rejects when Redis fails; `isAvailable` says
 * whether a call can succeed at all.
 */
export interface L2Store {
  readonly channelName: string
  isAvailable(): boolean
  /**
   * Returns the entry if it is newer than the one seen; otherwise takes the lease unless another
   * process holds it. One round trip for a hit as well as for a miss.
   */
  acquire(lease: Lease, options: { leaseMs: number; seen: Snapshot }): Promise<Acquired>
  /** Writes, releases the lease and wakes followers, if any: atomically and only with the lease. */
  commit(lease: Lease, write: { frame: Buffer; ttlMs: number; wake: string }): Promise<boolean>
  /** Releases the lease without a write. */
  release(lease: Lease, wake: string): Promise<boolean>
}

/** One that finds the lease held is going to wait: the third key says so until the lease ends. */
const ACQUIRE = `
local current = redis.call('GETRANGE', KEYS[1], 1, 8)
if current ~= '' and current ~= ARGV[3] then return {2, redis.call('GET', KEYS[1])} end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return {1} end
local left = redis.call('PTTL', KEYS[2])
redis.call('SET', KEYS[3], 1, 'PX', math.max(left, 1))
return {0, redis.call('GET', KEYS[2]), left}
`

/** A message wakes every process, so it is published only if somebody waits for it. */
const WAKE = `
if redis.call('DEL', KEYS[3]) == 1 then redis.call('PUBLISH', channel, message) end
`

/** The fence: a process that no longer holds the lease writes nothing (D10, SF-05). */
const COMMIT = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('DEL', KEYS[2])
local channel, message = ARGV[4], ARGV[5]
${WAKE}
return 1
`

const RELEASE = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
local channel, message = ARGV[2], ARGV[3]
${WAKE}
return 1
`

/** After a failure Redis is not used for this long, so that it does not slow every miss. */
const PAUSE_AFTER_FAILURE_MS = 500

export interface L2Options {
  redis: Redis
  prefix: KeyPrefix
  clock: Clock
}

export function createL2({ redis, prefix, clock }: L2Options): L2Store {
  const channelName = channelOf(redis, prefix, 'wake')
  /** One slot on Redis Cluster for an entry and its lease: they share the hash tag (D21). */
  const keysOf = (key: CacheKey) => {
    const entry = `${prefix}{${entryId(key)}}`
    return [entry, `${entry}:lease`, `${entry}:waiting`]
  }
  const acquire = defineScript(redis, { name: 'cache-acquire', lua: ACQUIRE, numberOfKeys: 3 })
  const commit = defineScript(redis, { name: 'cache-commit', lua: COMMIT, numberOfKeys: 3 })
  const release = defineScript(redis, { name: 'cache-release', lua: RELEASE, numberOfKeys: 3 })
  let pausedUntilMs = 0
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      pausedUntilMs = clock.monotonicMs() + PAUSE_AFTER_FAILURE_MS
      throw error
    }
  }
  return {
    channelName,
    isAvailable: () => acceptsCommands(redis) && clock.monotonicMs() >= pausedUntilMs,
    async acquire({ key, token }, { leaseMs, seen }) {
      const args = [token, Math.ceil(leaseMs), Buffer.from(seen.writeId, 'latin1')]
      return parseAcquired(await guarded(acquire.runBuffer(keysOf(key), args)))
    },
    async commit({ key, token }, { frame, ttlMs, wake }) {
      const args = [token, frame, Math.ceil(ttlMs), channelName, wake]
      return (await guarded(commit.run(keysOf(key), args))) === 1
    },
    async release({ key, token }, wake) {
      return (await guarded(release.run(keysOf(key), [token, channelName, wake]))) === 1
    },
  }
}

function toSnapshot(bytes: Buffer | null): Snapshot {
  if (bytes === null) return EMPTY_SNAPSHOT
  return { writeId: frameWriteId(bytes), entry: decodeFrame(bytes) }
}

function parseAcquired(reply: unknown): Acquired {
  const [code, value, remainingMs]: unknown[] = Array.isArray(reply) ? reply : []
  if (code === 1) return { kind: 'leader' }
  if (code === 2) {
    return { kind: 'newer', snapshot: toSnapshot(Buffer.isBuffer(value) ? value : null) }
  }
  const holder = Buffer.isBuffer(value) ? value.toString('latin1') : ''
  return { kind: 'held', holder, remainingMs: Number(remainingMs ?? 0) }
}
