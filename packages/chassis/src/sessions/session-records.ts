import { hash } from 'node:crypto'
import { type Id, type IdPrefix, problem } from '@melmastoon/domain'
import { defineScript, type Script } from '../redis/index.ts'
import type {
  AttachedWrite,
  Attachment,
  AttachmentDefinition,
  Session,
  SessionStoreOptions,
} from './session.ts'

/**
 * One hash per session: `v` version, `d` the data as JSON. A cleared session has `c` instead. Both
 * are one key, so that no write can follow the clearing, and on a cluster one slot (D21). The key
 * contains the SHA-256 of the session id, so that a tombstone does not name the session.
 */
const READ_LUA = `
local fields = redis.call('HMGET', KEYS[1], 'v', 'd', 'c')
if fields[1] then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return fields
`

/** Compare and set: writes only over the version that was read, and notifies all processes. */
const WRITE_LUA = `
local fields = redis.call('HMGET', KEYS[1], 'v', 'c')
if fields[2] then return 'cleared' end
if (fields[1] or '') ~= ARGV[1] then return 'conflict' end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'd', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('PUBLISH', ARGV[5], ARGV[6] .. ' ' .. ARGV[2])
return 'written'
`

/** What belongs to a session. */
const attachLua = (attached: string) => `
if redis.call('HEXISTS', KEYS[1], 'c') == 1 then return 'cleared' end
local args = ARGV
${attached}
return 'written'
`

const CLEAR_LUA = `
local fields = redis.call('HMGET', KEYS[1], 'v', 'd', 'c')
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'c', 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return fields
`

/** `ended`: cleared, or stored in a form that this version cannot read. */
export type StoredSession<T, P extends IdPrefix> = Session<T, P> | 'absent' | 'ended'

export type WriteResult = 'written' | 'conflict' | 'cleared'

export interface SessionRecords<T, P extends IdPrefix> {
  /** Extends the life of the record. */
  read(id: Id<P>): Promise<StoredSession<T, P>>
  /** Does not extend the life of the record. */
  peek(id: Id<P>): Promise<StoredSession<T, P>>
  /** @param replaced the version that must be stored now; null when none must be. */
  write(session: Session<T, P>, replaced: number | null): Promise<WriteResult>
  keyOf(id: Id<P>): string
  defineAttachment(definition: AttachmentDefinition): Attachment
  attach(id: Id<P>, attached: AttachedWrite): Promise<WriteResult>
  clear(id: Id<P>, tombstoneSeconds: number): Promise<StoredSession<T, P>>
}

export interface SessionRecordsOptions<T, P extends IdPrefix> extends SessionStoreOptions<T, P> {
  /** Where changes are published, as the id and the new version; as the id alone when cleared. */
  channel: string
}

type Fields = (string | null)[]

export function createSessionRecords<T, P extends IdPrefix>(
  options: SessionRecordsOptions<T, P>,
): SessionRecords<T, P> {
  const { redis, ttlSeconds, channel } = options
  const keyOf = (id: string) => `${options.keyPrefix}${hash('sha256', id, 'base64url')}`
  const script = (name: string, lua: string) => defineScript(redis, { name, lua, numberOfKeys: 1 })
  const readScript = script('session-read', READ_LUA)
  const writeScript = script('session-write', WRITE_LUA)
  const attachments = new WeakMap<Attachment, Script>()
  const clearScript = script('session-clear', CLEAR_LUA)
  const parse = (id: Id<P>, [version, stored, cleared]: Fields): StoredSession<T, P> => {
    if (cleared != null) return 'ended'
    if (version == null || stored == null) return 'absent'
    const data = options.parse(JSON.parse(stored))
    return data === null ? 'ended' : { id, version: Number(version), data }
  }
  return {
    async read(id) {
      const fields = await readScript.run([keyOf(id)], [ttlSeconds]).catch(unavailable)
      return parse(id, fields as Fields)
    },
    async peek(id) {
      return parse(id, await redis.hmget(keyOf(id), 'v', 'd', 'c').catch(unavailable))
    },
    async write({ id, version, data }, replaced) {
      const expected = replaced === null ? '' : String(replaced)
      const args = [expected, version, JSON.stringify(data), ttlSeconds, channel, id]
      return (await writeScript.run([keyOf(id)], args).catch(unavailable)) as WriteResult
    },
    keyOf,
    defineAttachment({ name, lua, numberOfKeys }) {
      const attachment = { name }
      const own = { name: `session-${name}`, lua: attachLua(lua), numberOfKeys: numberOfKeys + 1 }
      attachments.set(attachment, defineScript(redis, own))
      return attachment
    },
    async attach(id, { attachment, keys, args }) {
      const attach = attachments.get(attachment)
      if (attach === undefined) throw new TypeError('the attachment of another store')
      return (await attach.run([keyOf(id), ...keys], args).catch(unavailable)) as WriteResult
    },
    async clear(id, tombstoneSeconds) {
      const args = [tombstoneSeconds, channel, id]
      return parse(id, (await clearScript.run([keyOf(id)], args).catch(unavailable)) as Fields)
    },
  }
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
