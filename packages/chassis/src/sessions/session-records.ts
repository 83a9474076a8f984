import { problem } from '@melmastoon/domain'
import { defineScript, type Redis } from '../redis/index.ts'
import type { Session, SessionStoreOptions } from './session.ts'

/** One hash per session: `v` version, `s` SHA-256 of the secret (D3), `d` the data as JSON. */
const CREATE_LUA = `
redis.call('HSET', KEYS[1], 'v', 1, 's', ARGV[1], 'd', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
`

/** Compare and set: writes only over the version that was read. */
const UPDATE_LUA = `
local version = redis.call('HGET', KEYS[1], 'v')
if not version or version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'v', version + 1, 'd', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
`

export interface SessionRecords<T> {
  insert(id: string, secretHash: string, data: T): Promise<void>
  /** Reads and slides the end of life in one flight. */
  read(id: string): Promise<{ session: Session<T>; secretHash: string } | null>
  /** False when somebody else wrote first, or the session is gone. */
  replace(session: Session<T>, data: T): Promise<boolean>
  remove(id: string): Promise<void>
}

export function createSessionRecords<T>(options: SessionStoreOptions<T>): SessionRecords<T> {
  const { redis, ttlSeconds } = options
  const keyOf = (id: string) => `${options.keyPrefix}${id}`
  const script = (name: string, lua: string) => defineScript(redis, { name, lua, numberOfKeys: 1 })
  const create = script('session-create', CREATE_LUA)
  const update = script('session-update', UPDATE_LUA)
  return {
    async insert(id, secretHash, data) {
      const args = [secretHash, JSON.stringify(data), ttlSeconds]
      await create.run([keyOf(id)], args).catch(unavailable)
    },
    async read(id) {
      const key = keyOf(id)
      const [fields] = await readAndSlide(redis, key, ttlSeconds).catch(unavailable)
      const [version, secretHash, stored] = fields
      if (version == null || secretHash == null || stored == null) return null
      const data = options.parse(JSON.parse(stored))
      return data === null ? null : { session: { id, version: Number(version), data }, secretHash }
    },
    async replace(session, data) {
      const args = [String(session.version), JSON.stringify(data), ttlSeconds]
      return (await update.run([keyOf(session.id)], args).catch(unavailable)) === 1
    },
    async remove(id) {
      await redis.del(keyOf(id)).catch(unavailable)
    },
  }
}

function readAndSlide(redis: Redis, key: string, ttlSeconds: number) {
  return Promise.all([redis.hmget(key, 'v', 's', 'd'), redis.expire(key, ttlSeconds)])
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
