import type { Redis } from 'ioredis'
import { defineScript } from './define-script.ts'
import type { KeyPrefix } from './key-space.ts'

/** A value and the number of its last change, which the authority (a row in Postgres) assigns. */
export interface VersionedRecord<T> {
  readonly version: number
  readonly value: T
}

export interface RecordStoreOptions<T> {
  /** The instance that evicts nothing: an evicted fence would let an older version in again. */
  readonly redis: Redis
  readonly prefix: KeyPrefix
  /** The longest life of a record and of the fence that a deletion leaves. */
  readonly ttlMs: number
  /** A stored value that is none, such as one of another release, is null and counts as absent. */
  readonly parse: (value: unknown) => T | null
  readonly bytesMax?: number
}

/**
 * JSON records that several processes write without coordination. A record is never replaced by an
 * older version, in whatever order writes arrive: each write compares and sets in one script on one
 * key. Errors of Redis are thrown.
 */
export interface RecordStore<T> {
  get(id: string): Promise<VersionedRecord<T> | null>
  /** False: the stored version, or that of a deletion, is the same or newer. Sets the life anew. */
  put(id: string, record: VersionedRecord<T>, ttlMs?: number): Promise<boolean>
  /**
   * Deletes the record unless it is newer than `version`, and rejects this and older versions for
   * the rest of `ttlMs`. False: a newer one is stored, and stays.
   */
  delete(id: string, version: number): Promise<boolean>
}

/** `v` is the version, `d` the data; a deletion leaves `v` only. */
const PUT = `
local stored = redis.call('HGET', KEYS[1], 'v')
if stored and tonumber(stored) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'd', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

const DELETE = `
local stored = redis.call('HGET', KEYS[1], 'v')
if stored and tonumber(stored) > tonumber(ARGV[1]) then return 0 end
redis.call('HDEL', KEYS[1], 'd')
redis.call('HSET', KEYS[1], 'v', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

const BYTES_MAX = 64 * 1024

export function createRecordStore<T>(options: RecordStoreOptions<T>): RecordStore<T> {
  const { redis, prefix, ttlMs: ttlMaxMs, parse, bytesMax = BYTES_MAX } = options
  const put = defineScript(redis, { name: 'record-put', lua: PUT, numberOfKeys: 1 })
  const remove = defineScript(redis, { name: 'record-delete', lua: DELETE, numberOfKeys: 1 })
  const keyOf = (id: string) => `${prefix}${id}`
  return {
    async get(id) {
      const [version, data] = await redis.hmget(keyOf(id), 'v', 'd')
      const value = data == null ? null : parse(parseJson(data))
      return value === null ? null : { version: Number(version), value }
    },
    async put(id, { version, value }, ttlMs = ttlMaxMs) {
      const data = JSON.stringify(value)
      if (Buffer.byteLength(data) > bytesMax) {
        throw new TypeError(`a record is limited to ${bytesMax} bytes`)
      }
      const lifeMs = Math.ceil(Math.min(ttlMs, ttlMaxMs))
      if (lifeMs < 1) return false
      return (await put.run([keyOf(id)], [checkedVersion(version), data, lifeMs])) === 1
    },
    async delete(id, version) {
      return (await remove.run([keyOf(id)], [checkedVersion(version), ttlMaxMs])) === 1
    },
  }
}

/** Lua computes with doubles, so that only safe integers compare correctly. */
function checkedVersion(version: number): number {
  if (Number.isSafeInteger(version) && version > 0) return version
  throw new TypeError('the version of a record is a positive integer')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
