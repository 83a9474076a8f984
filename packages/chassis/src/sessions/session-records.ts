import { problem } from '@melmastoon/domain'
import { defineScript } from '../redis/index.ts'
import type { Session, SessionStoreOptions } from './session.ts'

/** One hash per session: `v` version, `s` SHA-256 of the secret (D3), `d` the data as JSON. */
const CREATE_LUA = `
redis.call('HSET', KEYS[1], 'v', 1, 's', ARGV[1], 'd', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
`

/** Compare and set: writes only over the version that was read, and tells all processes. */
const UPDATE_LUA = `
local version = redis.call('HGET', KEYS[1], 'v')
if not version or version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'v', version + 1, 'd', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5] .. ' ' .. version + 1)
return 1
`

/** Whoever reads also slides the end of life. */
const READ_LUA = `
local fields = redis.call('HMGET', KEYS[1], 'v', 's', 'd')
redis.call('EXPIRE', KEYS[1], ARGV[1])
return fields
`

interface SessionRecord<T> {
  session: Session<T>
  secretHash: string
}

type Fields = (string | null)[]

/** Nobody changes it between the last look and its end. */
const REMOVE_LUA = `
local fields = redis.call('HMGET', KEYS[1], 'v', 'd')
redis.call('DEL', KEYS[1])
return fields
`

export interface SessionRecords<T> {
  insert(id: string, secretHash: string, data: T): Promise<void>
  /** Reads and slides the end of life. */
  read(id: string): Promise<SessionRecord<T> | null>
  /** Reads and leaves it as it is. */
  peek(id: string): Promise<SessionRecord<T> | null>
  /** False when somebody else wrote first, or the session is gone. */
  replace(session: Session<T>, data: T): Promise<boolean>
  /** What it was at the end; null when there was none. */
  remove(id: string): Promise<Session<T> | null>
}

export interface SessionRecordsOptions<T> extends SessionStoreOptions<T> {
  /** Where changes are told, as the id and the version it now has. */
  changes: string
}

export function createSessionRecords<T>(options: SessionRecordsOptions<T>): SessionRecords<T> {
  const { redis, ttlSeconds, changes } = options
  const keyOf = (id: string) => `${options.keyPrefix}${id}`
  const script = (name: string, lua: string) => defineScript(redis, { name, lua, numberOfKeys: 1 })
  const create = script('session-create', CREATE_LUA)
  const update = script('session-update', UPDATE_LUA)
  const readAndSlide = script('session-read', READ_LUA)
  const end = script('session-remove', REMOVE_LUA)
  const parse = (id: string, [version, secretHash, stored]: Fields): SessionRecord<T> | null => {
    if (version == null || secretHash == null || stored == null) return null
    const data = options.parse(JSON.parse(stored))
    return data === null ? null : { session: { id, version: Number(version), data }, secretHash }
  }
  return {
    async insert(id, secretHash, data) {
      const args = [secretHash, JSON.stringify(data), ttlSeconds]
      await create.run([keyOf(id)], args).catch(unavailable)
    },
    async read(id) {
      const fields = await readAndSlide.run([keyOf(id)], [ttlSeconds]).catch(unavailable)
      return parse(id, fields as Fields)
    },
    async peek(id) {
      return parse(id, await redis.hmget(keyOf(id), 'v', 's', 'd').catch(unavailable))
    },
    async replace({ id, version }, data) {
      const args = [String(version), JSON.stringify(data), ttlSeconds, changes, id]
      return (await update.run([keyOf(id)], args).catch(unavailable)) === 1
    },
    async remove(id) {
      const fields = await end.run([keyOf(id)], []).catch(unavailable)
      const [version, stored] = fields as (string | null)[]
      if (version == null || stored == null) return null
      const data = options.parse(JSON.parse(stored))
      return data === null ? null : { id, version: Number(version), data }
    },
  }
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
