import type { Clock } from '@melmastoon/chassis/clock'
import { hashedPart, type KeyPrefix, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import { Penalties } from './penalties.ts'
import type { VisitorHistory } from './signals.ts'
import { parseUserAgent } from './user-agent.ts'
import type { CountedVisitor } from './visitor-profiles.ts'
import { defineVisitorScripts, type VisitorScripts } from './visitor-scripts.ts'

const PACE_SECONDS = 60
const NEW_SESSIONS_SECONDS = 600
const FAILURE_SECONDS = 3_600
/** As long as scores are retained. */
const ORIGIN_SECONDS = 604_800
const CLEARED_MS = 1_800_000

export interface VisitorStoreOptions {
  /** Never evicts: clearances, failures and penalties. */
  readonly sessionRedis: Redis
  /** May evict: paces, and the origin of a session. */
  readonly cacheRedis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

export interface StoredVisitor extends VisitorHistory {
  readonly clearedMs: number
}

type Device = Pick<CountedVisitor, 'addressHash' | 'deviceHash'>

/** What all processes share about a visitor, under hashes. Empty while Redis is unavailable. */
export class VisitorStore {
  readonly #redis: Redis
  readonly #cacheRedis: Redis
  readonly #prefix: KeyPrefix
  readonly #onError: VisitorStoreOptions['onError']
  readonly #scripts: VisitorScripts
  readonly #penalties: Penalties

  constructor({ sessionRedis, cacheRedis, keys, clock, onError }: VisitorStoreOptions) {
    this.#prefix = keys.prefix('bot')
    this.#redis = sessionRedis
    this.#cacheRedis = cacheRedis
    this.#onError = onError
    this.#scripts = defineVisitorScripts({ session: sessionRedis, cache: cacheRedis })
    this.#penalties = new Penalties({ redis: sessionRedis, prefix: this.#prefix, clock, onError })
  }

  /** Adds the requests since the last time and reads everything else, in one round trip. */
  async load(visitor: CountedVisitor, requests: number): Promise<StoredVisitor> {
    const [counted, devices, challenges, replays] = await Promise.all([
      this.#countVisitor(visitor, requests),
      this.#countDevice(visitor, { requests, newSessions: 0 }),
      this.#readChallenges(visitor.visitorId),
      this.replaysOf(visitor.fingerprintHash),
    ])
    return { ...counted, ...devices, ...challenges, replays }
  }

  /** Replayed handoffs with this fingerprint. */
  replaysOf(fingerprintHash: string): Promise<number> {
    return this.#penalties.replaysOf(fingerprintHash)
  }

  penalize(fingerprintHash: string): Promise<void> {
    return this.#penalties.add(fingerprintHash)
  }

  /** For how long this visitor is not challenged; 0 when it is. */
  async clearedMs(visitorId: string): Promise<number> {
    return Math.max(0, await this.#orElse(0, this.#redis.pttl(this.#tagged('clear', visitorId))))
  }

  /**
   * After a passed challenge; earlier failures no longer count. Returns for how long it is cleared.
   * @throws when it was not stored.
   */
  async clear(visitorId: string, clearedMs = CLEARED_MS): Promise<number> {
    const seconds = Math.max(1, Math.ceil(clearedMs / 1_000))
    await Promise.all([
      this.#redis.set(this.#tagged('clear', visitorId), '1', 'EX', seconds),
      this.#redis.del(this.#tagged('failed', visitorId)),
    ])
    return clearedMs
  }

  /** Deletes what is stored of one visitor. */
  async forget(visitorId: string): Promise<void> {
    const challenges = [this.#tagged('clear', visitorId), this.#tagged('failed', visitorId)]
    await Promise.all([
      this.#orElse(0, this.#redis.del(...challenges)),
      this.#orElse(0, this.#cacheRedis.del(this.#visitorKey(visitorId))),
    ])
  }

  async recordFailure(visitorId: string): Promise<void> {
    const key = this.#tagged('failed', visitorId)
    await this.#orElse(null, this.#redis.multi().incr(key).expire(key, FAILURE_SECONDS).exec())
  }

  async recordNewSession(device: Device): Promise<void> {
    await this.#countDevice(device, { requests: 0, newSessions: 1 })
  }

  /** Phones change networks and browsers are updated: only the family of browser is compared. */
  async #countVisitor(visitor: CountedVisitor, requests: number) {
    const { visitorId, sessionId, userAgent, addressHash } = visitor
    const { family } = parseUserAgent(userAgent)
    const current = sessionId === undefined ? '' : `${family}|${addressHash}`
    const args = [PACE_SECONDS, requests, current, ORIGIN_SECONDS]
    const counted = this.#scripts.visitor.run([this.#visitorKey(visitorId)], args)
    const [pace, first] = (await this.#orElse([0, current], counted)) as [number, string]
    return { guestPace: Number(pace), origin: compareOrigins(first, current) }
  }

  /** Both keys are in the slot of the address. */
  async #countDevice(
    { addressHash, deviceHash }: Device,
    { requests, newSessions }: { requests: number; newSessions: number },
  ) {
    const address = this.#tagged('address', addressHash)
    const device = `${this.#tagged('device', addressHash)}:${hashedPart(deviceHash)}`
    const args = [PACE_SECONDS, requests, NEW_SESSIONS_SECONDS, newSessions]
    const counted = this.#scripts.device.run([address, device], args)
    const [addressPace, fingerprintPace, sessions] = (
      (await this.#orElse([0, 0, 0], counted)) as [number, number, number]
    ).map(Number) as [number, number, number]
    return { addressPace, fingerprintPace, newSessions: sessions }
  }

  async #readChallenges(visitorId: string) {
    const keys = [this.#tagged('clear', visitorId), this.#tagged('failed', visitorId)]
    const read = this.#scripts.challenges.run(keys, [])
    const [clearedMs, failures] = (await this.#orElse([0, 0], read)) as [number, number]
    return { clearedMs: Math.max(0, Number(clearedMs)), failures: Number(failures) }
  }

  /** Ids of sessions are hashed, so that none is left behind when a session is cleared. */
  #visitorKey(visitorId: string): string {
    return `${this.#prefix}visitor:${hashedPart(visitorId)}`
  }

  /** Keys of one subject are in one slot of a cluster (D21). */
  #tagged(kind: string, subject: string): string {
    return `${this.#prefix}${kind}:{${hashedPart(subject)}}`
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

function compareOrigins(first: string, current: string): VisitorHistory['origin'] {
  const [firstFamily, firstAddress] = first.split('|')
  const [family, address] = current.split('|')
  if (firstFamily === family) return 'same'
  return firstAddress === address ? 'other-browser' : 'elsewhere'
}
