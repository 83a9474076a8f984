import {
  defineScript,
  hashedPart,
  type KeyPrefix,
  type KeySpace,
  type Redis,
  type Script,
} from '@melmastoon/chassis/redis'
import type { VisitorHistory } from './signals.ts'
import { parseUserAgent } from './user-agent.ts'
import type { VisitorProfile } from './visitor-profiles.ts'

const PACE_SECONDS = 60
const NEW_SESSIONS_SECONDS = 600
const PENALTY_SECONDS = 3_600
/** As long as scores are retained. */
const ORIGIN_SECONDS = 604_800
const CLEARED_MS = 1_800_000

export interface VisitorStoreOptions {
  /** Never evicts: clearances and penalties. */
  readonly sessionRedis: Redis
  /** May evict: paces, and the origin of a session. */
  readonly cacheRedis: Redis
  readonly keys: KeySpace
  readonly onError: (error: unknown) => void
}

export interface StoredVisitor extends VisitorHistory {
  readonly clearedMs: number
}

/**
 * A sliding-window estimate: the count of the current window, and of the previous one as much as
 * still overlaps. One key, one round trip, on Redis's own clock. Adding 0 creates no key.
 */
const COUNT_LUA = `
local window, added = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local number = math.floor(now / window)
local stored = redis.call('HMGET', KEYS[1], 'w', 'c', 'p')
local last, current, previous = tonumber(stored[1] or -1), tonumber(stored[2] or 0), tonumber(stored[3] or 0)
if last == number - 1 then previous, current = current, 0
elseif last ~= number then previous, current = 0, 0 end
current = current + added
if added > 0 then
  redis.call('HSET', KEYS[1], 'w', number, 'c', current, 'p', previous)
  redis.call('EXPIRE', KEYS[1], window * 2)
end
return math.floor(previous * (1 - (now / window - number)) + current)
`

interface Counted {
  readonly key: string
  readonly windowSeconds: number
  readonly added: number
}

/** What all processes share about a visitor, under hashes. Empty while Redis is unavailable. */
export class VisitorStore {
  readonly #redis: Redis
  readonly #cacheRedis: Redis
  readonly #prefix: KeyPrefix
  readonly #onError: VisitorStoreOptions['onError']
  readonly #countScript: Script

  constructor({ sessionRedis, cacheRedis, keys, onError }: VisitorStoreOptions) {
    this.#prefix = keys.prefix('bot')
    this.#redis = sessionRedis
    this.#cacheRedis = cacheRedis
    this.#onError = onError
    this.#countScript = defineScript(cacheRedis, {
      name: 'sliding-window-count',
      lua: COUNT_LUA,
      numberOfKeys: 1,
    })
  }

  /** Adds the requests since the last time and reads everything else, in one round trip. */
  async load(profile: VisitorProfile, requests: number): Promise<StoredVisitor> {
    const { visitorId, addressHash, deviceHash } = profile
    const pace = (key: string) => this.#count({ key, windowSeconds: PACE_SECONDS, added: requests })
    const [
      guestPace,
      fingerprintPace,
      addressPace,
      newSessions,
      replays,
      failures,
      origin,
      clearedMs,
    ] = await Promise.all([
      pace(`guest:${visitorId}`),
      pace(`device:${deviceHash}`),
      pace(`address:${addressHash}`),
      this.#countNewSessions(deviceHash, 0),
      this.#readPenalties(profile),
      this.#readNumber(this.#key('failed', visitorId)),
      this.#compareOrigin(profile),
      this.clearedMs(visitorId),
    ])
    const paces = { guestPace, fingerprintPace, addressPace }
    return { ...paces, newSessions, replays, failures, origin, clearedMs }
  }

  /** For how long this visitor is not challenged; 0 when it is. */
  async clearedMs(visitorId: string): Promise<number> {
    return Math.max(0, await this.#orElse(0, this.#redis.pttl(this.#key('clear', visitorId))))
  }

  /**
   * After a passed challenge; earlier failures no longer count. Returns for how long it is cleared.
   * @throws when it was not stored.
   */
  async clear(visitorId: string, clearedMs = CLEARED_MS): Promise<number> {
    const seconds = Math.max(1, Math.ceil(clearedMs / 1_000))
    await Promise.all([
      this.#redis.set(this.#key('clear', visitorId), '1', 'EX', seconds),
      this.#redis.del(this.#key('failed', visitorId)),
    ])
    return clearedMs
  }

  /** Deletes what is stored of one visitor. */
  async forget(visitorId: string): Promise<void> {
    await Promise.all([
      this.#orElse(0, this.#redis.del(this.#key('clear', visitorId))),
      this.#orElse(0, this.#redis.del(this.#key('failed', visitorId))),
      this.#orElse(0, this.#cacheRedis.del(this.#key('home', visitorId))),
      this.#orElse(0, this.#cacheRedis.del(this.#key('count', `guest:${visitorId}`))),
    ])
  }

  recordFailure(visitorId: string): Promise<void> {
    return this.#increment(this.#key('failed', visitorId))
  }

  penalize(fingerprintHash: string): Promise<void> {
    return this.#increment(this.#key('penalty', fingerprintHash))
  }

  async recordNewSession(deviceHash: string): Promise<void> {
    await this.#countNewSessions(deviceHash, 1)
  }

  #countNewSessions(deviceHash: string, added: number): Promise<number> {
    return this.#count({ key: `mint:${deviceHash}`, windowSeconds: NEW_SESSIONS_SECONDS, added })
  }

  async #count({ key, windowSeconds, added }: Counted): Promise<number> {
    const counted = this.#countScript.run([this.#key('count', key)], [windowSeconds, added])
    return Number(await this.#orElse(0, counted))
  }

  async #increment(key: string): Promise<void> {
    const increased = this.#redis.multi().incr(key).expire(key, PENALTY_SECONDS).exec()
    await this.#orElse(null, increased)
  }

  async #readPenalties(profile: VisitorProfile): Promise<number> {
    const { fingerprintHash, sessionFingerprintHash = fingerprintHash } = profile
    const hashes = [...new Set([fingerprintHash, sessionFingerprintHash])]
    const counts = hashes.map((hash) => this.#readNumber(this.#key('penalty', hash)))
    return Math.max(...(await Promise.all(counts)))
  }

  async #readNumber(key: string): Promise<number> {
    return Number((await this.#orElse(null, this.#redis.get(key))) ?? 0)
  }

  /** Phones change networks and browsers are updated: only the family of browser is compared. */
  async #compareOrigin(profile: VisitorProfile): Promise<VisitorHistory['origin']> {
    const { sessionId, userAgent, addressHash } = profile
    if (sessionId === undefined) return 'same'
    const { family } = parseUserAgent(userAgent)
    const current = `${family}|${addressHash}`
    const key = this.#key('home', sessionId)
    const first = this.#cacheRedis.call('SET', key, current, 'EX', ORIGIN_SECONDS, 'NX', 'GET')
    const stored = await this.#orElse(null, first)
    const [firstFamily, firstAddress] = (typeof stored === 'string' ? stored : current).split('|')
    if (firstFamily === family) return 'same'
    return firstAddress === addressHash ? 'other-browser' : 'elsewhere'
  }

  /** Ids of sessions are hashed, so that none is left behind when a session is cleared. */
  #key(kind: string, subject: string): string {
    return `${this.#prefix}${kind}:${hashedPart(subject)}`
  }

  async #orElse<T, U>(fallback: U, result: Promise<T>): Promise<T | U> {
    try {
      return await result
    } catch (error) {
      this.#onError(error)
      return fallback
    }
  }
}
