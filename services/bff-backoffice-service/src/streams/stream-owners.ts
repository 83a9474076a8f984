import { defineScript, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import { type DeviceId, type Id, type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type { GrantedScope } from '../access/operator.ts'

export interface DeviceRef {
  readonly tenantId: TenantId
  readonly deviceId: DeviceId
}

export interface StreamRef extends DeviceRef {
  readonly sessionId: Id<'bos'>
  readonly streamId: string
}

/** What a new token of the device grants, for the process that has its stream. */
export interface Renewal extends GrantedScope {
  readonly expiresAtMs: number
}

/** The stored text, and what it says about a stream. */
export interface Ownership {
  readonly stored: string
  readonly streamId: string
  readonly renewal: Renewal | null
}

/** A stream ends after 50 minutes. */
const OWNER_MS = 60 * 60_000
const MGET_MAX = 500

/** `<session>|<stream>|<renewal>`: the stream that a device opened last. */
const CLAIM_LUA = `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ${OWNER_MS})
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1`

/** Only for the session that opened the stream: another operator opens their own. */
const RENEW_LUA = `
local session, stream = string.match(redis.call('GET', KEYS[1]) or '', '^([^|]*)|([^|]*)|')
if session ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], session .. '|' .. stream .. '|' .. ARGV[2], 'KEEPTTL')
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1`

const RELEASE_LUA = `
local session, stream = string.match(redis.call('GET', KEYS[1]) or '', '^([^|]*)|([^|]*)|')
if stream == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

export interface StreamOwnersOptions {
  readonly redis: Redis
  readonly keys: KeySpace
  /** Where processes with streams of the tenant listen. */
  readonly channel: (tenantId: TenantId) => string
}

/** Which stream a device has, in all processes. Errors of Redis become DEPENDENCY_UNAVAILABLE. */
export function createStreamOwners({ redis, keys, channel }: StreamOwnersOptions) {
  const prefix = keys.prefix('stream-owner')
  const keyOf = ({ tenantId, deviceId }: DeviceRef) => `${prefix}${tenantId}:${deviceId}`
  const script = (name: string, lua: string) => defineScript(redis, { name, lua, numberOfKeys: 1 })
  const claim = script('stream-claim', CLAIM_LUA)
  const renew = script('stream-renew', RENEW_LUA)
  const release = script('stream-release', RELEASE_LUA)
  const message = ({ deviceId }: DeviceRef) => `device ${deviceId}`
  return {
    /** Every earlier stream of the device ends, wherever it is. */
    async claim(stream: StreamRef): Promise<string> {
      const stored = `${stream.sessionId}|${stream.streamId}|`
      const args = [stored, channel(stream.tenantId), message(stream)]
      await claim.run([keyOf(stream)], args).catch(unavailable)
      return stored
    },
    /** False: the session has no stream. */
    async renew(stream: Omit<StreamRef, 'streamId'>, renewal: Renewal): Promise<boolean> {
      const args = [stream.sessionId, writeRenewal(renewal), channel(stream.tenantId)]
      const reply = await renew.run([keyOf(stream)], [...args, message(stream)]).catch(unavailable)
      return reply === 1
    },
    async release(stream: StreamRef): Promise<void> {
      await release.run([keyOf(stream)], [stream.streamId])
    },
    /** In the order of the devices; null where there is none. */
    async find(devices: readonly DeviceRef[]): Promise<(string | null)[]> {
      const chunks = Array.from({ length: Math.ceil(devices.length / MGET_MAX) }, (_, at) =>
        devices.slice(at * MGET_MAX, (at + 1) * MGET_MAX),
      )
      const found = await Promise.all(chunks.map((chunk) => redis.mget(chunk.map(keyOf))))
      return found.flat()
    },
  }
}

export type StreamOwners = ReturnType<typeof createStreamOwners>

export function parseOwnership(stored: string): Ownership {
  const [, streamId = '', ...rest] = stored.split('|')
  const text = rest.join('|')
  return { stored, streamId, renewal: text === '' ? null : readRenewal(text) }
}

function writeRenewal({ properties, ...rest }: Renewal): string {
  return JSON.stringify({ ...rest, properties: properties === '*' ? '*' : [...properties] })
}

function readRenewal(text: string): Renewal {
  const { properties, ...rest } = JSON.parse(text) as StoredRenewal
  return { ...rest, properties: properties === '*' ? '*' : new Set(properties) }
}

type StoredRenewal = Omit<Renewal, 'properties'> & {
  readonly properties: '*' | readonly PropertyId[]
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
