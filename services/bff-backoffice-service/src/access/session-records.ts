import { defineScript, hashedPart, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import type { DeviceId, Id, OperatorId, TenantId } from '@melmastoon/domain'
import { PROOF_REPLAY_TTL_MS } from '@melmastoon/security'

/** A session that iam confirmed. */
export interface SessionRecord {
  readonly sessionId: Id<'bos'>
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
  readonly jkt: string
  readonly familyExpiresAtMs: number
  /** Of the store when the session was opened. */
  readonly epoch: string
}

/** The session as it is stored, or why there is none. */
export type Admission = { readonly stored: string } | 'replayed' | 'revoked' | 'absent'

/** Twelve hours from the last request. */
const SESSION_MS = 12 * 3_600_000
/** Longer than any access token is valid. */
const TOMBSTONE_MS = 16 * 60_000
const MGET_MAX = 500

/** The proof is recorded first: it was used, whatever becomes of the request. */
const ADMIT_LUA = `
if not redis.call('SET', KEYS[1], '1', 'PX', ARGV[1], 'NX') then return 0 end
if redis.call('EXISTS', KEYS[3]) == 1 then return 1 end
return redis.call('GET', KEYS[2]) or 2
`

/** A revocation may arrive between the confirmation by iam and this write. */
const OPEN_LUA = `
if redis.call('EXISTS', KEYS[2]) == 1 then return 'revoked' end
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then return 'opened' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'renewed'
`

/** The tombstone contains the session, so that its end can be reported. */
const END_LUA = `
local stored = redis.call('GET', KEYS[1]) or redis.call('GET', KEYS[2]) or ''
redis.call('SET', KEYS[2], stored, 'PX', ARGV[1])
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return stored
`

export interface SessionRecordsOptions {
  readonly redis: Redis
  readonly keys: KeySpace
  /** Where the ids of ended sessions are published. */
  readonly channel: string
}

/**
 * Sessions, tombstones and used proofs. All keys of a session share its hash tag, so that one
 * script checks a request in one round trip. Errors of Redis are thrown.
 */
export function createSessionRecords({ redis, keys, channel }: SessionRecordsOptions) {
  const prefixes = {
    session: keys.prefix('session'),
    revoked: keys.prefix('revoked'),
    proof: keys.prefix('proof'),
    device: keys.prefix('session-by-device'),
  }
  const sessionKey = (id: string) => `${prefixes.session}{${id}}`
  const revokedKey = (id: string) => `${prefixes.revoked}{${id}}`
  const deviceKey = ({ tenantId, deviceId }: DeviceRef) =>
    `${prefixes.device}${tenantId}:${deviceId}`
  const script = (name: string, lua: string, numberOfKeys: number) =>
    defineScript(redis, { name, lua, numberOfKeys })
  const admitScript = script('session-admit', ADMIT_LUA, 3)
  const openScript = script('session-open', OPEN_LUA, 2)
  const endScript = script('session-end', END_LUA, 2)

  return {
    /** @param proofKey identifies the proof. */
    async admit(id: Id<'bos'>, proofKey: string): Promise<Admission> {
      const names = [`${prefixes.proof}{${id}}:${proofKey}`, sessionKey(id), revokedKey(id)]
      return toAdmission(await admitScript.run(names, [PROOF_REPLAY_TTL_MS]))
    },
    async open(record: SessionRecord, nowMs: number): Promise<'opened' | 'renewed' | 'revoked'> {
      const { sessionId } = record
      const lifeMs = lifeOf(record, nowMs)
      const args = [JSON.stringify(record), lifeMs]
      const [result] = await Promise.all([
        openScript.run([sessionKey(sessionId), revokedKey(sessionId)], args),
        redis.set(deviceKey(record), sessionId, 'PX', lifeMs),
      ])
      return result as 'opened' | 'renewed' | 'revoked'
    },
    /** Slides the end of the session, at most to the end of its tokens. */
    async extend(record: SessionRecord, nowMs: number): Promise<void> {
      const lifeMs = lifeOf(record, nowMs)
      await Promise.all([
        redis.pexpire(sessionKey(record.sessionId), lifeMs),
        redis.pexpire(deviceKey(record), lifeMs),
      ])
    },
    /** Null when it was never open here, or long ago. */
    async end(id: Id<'bos'>): Promise<SessionRecord | null> {
      const names = [sessionKey(id), revokedKey(id)]
      return parseRecord(String(await endScript.run(names, [TOMBSTONE_MS, channel, id])))
    },
    /** Also finds one that has ended in the last minutes. */
    async find(id: Id<'bos'>): Promise<SessionRecord | null> {
      const [open, ended] = await redis.mget(sessionKey(id), revokedKey(id))
      return parseRecord(open ?? ended ?? '')
    },
    async findByDevice(device: DeviceRef): Promise<SessionRecord | null> {
      const id = await redis.get(deviceKey(device))
      const stored = id === null ? null : await redis.get(sessionKey(id))
      return parseRecord(stored ?? '')
    },
    async findEnded<I extends string>(ids: readonly I[]): Promise<I[]> {
      const found = await Promise.all(
        chunks(ids).map(async (chunk) => {
          const tombstones = await redis.mget(chunk.map(revokedKey))
          return chunk.filter((_, at) => tombstones[at] != null)
        }),
      )
      return found.flat()
    },
    /** For requests without a session: true the first time. */
    async claimProof(jkt: string, proofKey: string): Promise<boolean> {
      const key = `${prefixes.proof}${hashedPart(jkt)}:${proofKey}`
      return (await redis.set(key, '1', 'PX', PROOF_REPLAY_TTL_MS, 'NX')) === 'OK'
    },
  }
}

export type SessionRecords = ReturnType<typeof createSessionRecords>

export interface DeviceRef {
  readonly tenantId: TenantId
  readonly deviceId: DeviceId
}

export function parseRecord(stored: string): SessionRecord | null {
  return stored === '' ? null : (JSON.parse(stored) as SessionRecord)
}

function toAdmission(reply: unknown): Admission {
  if (typeof reply === 'string') return { stored: reply }
  if (reply === 0) return 'replayed'
  return reply === 1 ? 'revoked' : 'absent'
}

function lifeOf({ familyExpiresAtMs }: SessionRecord, nowMs: number): number {
  return Math.max(1, Math.min(SESSION_MS, Math.floor(familyExpiresAtMs - nowMs)))
}

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / MGET_MAX)
  return Array.from({ length: count }, (_, at) => items.slice(at * MGET_MAX, (at + 1) * MGET_MAX))
}
