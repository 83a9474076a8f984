import type { Redis } from '@melmastoon/chassis/redis'
import { type Counted, createCountLately } from './count-lately.ts'
import type { Conduct } from './read-signals.ts'
import type { Standing } from './standing.ts'
import { parseUserAgent } from './user-agent.ts'

const PACE_SECONDS = 60
const MINT_SECONDS = 600
const PENALTY_SECONDS = 3_600
/** As long as the log of scores goes back. */
const HOME_SECONDS = 604_800
export const CLEARED_SECONDS = 1_800

export interface LedgerOptions {
  /** Loses nothing: who was cleared, who is to be punished. */
  readonly sessionRedis: Redis
  /** May forget: who asked how often, where a session came from. */
  readonly cacheRedis: Redis
  readonly onError: (error: unknown) => void
}

export interface Recalled extends Conduct {
  readonly clearedMs: number
}

/** What all processes know of a visitor, under hashes. While Redis is away they know nothing. */
export class Ledger {
  readonly #redis: Redis
  readonly #cacheRedis: Redis
  readonly #onError: LedgerOptions['onError']
  readonly #count: (counted: Counted) => Promise<number>

  constructor({ sessionRedis, cacheRedis, onError }: LedgerOptions) {
    this.#redis = sessionRedis
    this.#cacheRedis = cacheRedis
    this.#onError = onError
    this.#count = createCountLately(cacheRedis)
  }

  /** Counts what was asked since the last time, and reads the rest: all in one flight. */
  async recall(standing: Standing, requests: number): Promise<Recalled> {
    const { guest, addressHash, deviceHash } = standing
    const pace = (key: string) =>
      this.#orElse(0, this.#count({ key, windowSeconds: PACE_SECONDS, added: requests }))
    const [guestPace, fingerprintPace, addressPace, mints, replays, failures, home, clearedMs] =
      await Promise.all([
        pace(`guest:${guest}`),
        pace(`device:${deviceHash}`),
        pace(`address:${addressHash}`),
        this.#orElse(0, this.#countMints(deviceHash, 0)),
        this.#readPenalties(standing),
        this.#readNumber(failureKey(guest)),
        this.#compareHome(standing),
        this.clearedMs(guest),
      ])
    const paces = { guestPace, fingerprintPace, addressPace }
    return { ...paces, mints, replays, failures, home, clearedMs }
  }

  /** For how long this guest need not show anything; 0 when she must. */
  async clearedMs(guest: string): Promise<number> {
    return Math.max(0, await this.#orElse(0, this.#redis.pttl(clearKey(guest))))
  }

  /** For whoever showed that she is human, after however many attempts. @throws when not kept. */
  async clear(guest: string, seconds = CLEARED_SECONDS): Promise<void> {
    await Promise.all([
      this.#redis.set(clearKey(guest), '1', 'EX', Math.max(1, Math.ceil(seconds))),
      this.#redis.del(failureKey(guest)),
    ])
  }

  noteFailure(guest: string): Promise<void> {
    return this.#increase(failureKey(guest))
  }

  penalize(fingerprintHash: string): Promise<void> {
    return this.#increase(penaltyKey(fingerprintHash))
  }

  async noteMint(deviceHash: string): Promise<void> {
    await this.#orElse(0, this.#countMints(deviceHash, 1))
  }

  #countMints(deviceHash: string, added: number): Promise<number> {
    return this.#count({ key: `mint:${deviceHash}`, windowSeconds: MINT_SECONDS, added })
  }

  async #increase(key: string): Promise<void> {
    const increased = this.#redis.multi().incr(key).expire(key, PENALTY_SECONDS).exec()
    await this.#orElse(null, increased)
  }

  async #readPenalties(standing: Standing): Promise<number> {
    const { fingerprintHash, sessionFingerprintHash = fingerprintHash } = standing
    const hashes = [...new Set([fingerprintHash, sessionFingerprintHash])]
    const counts = hashes.map((hash) => this.#readNumber(penaltyKey(hash)))
    return Math.max(...(await Promise.all(counts)))
  }

  async #readNumber(key: string): Promise<number> {
    return Number((await this.#orElse(null, this.#redis.get(key))) ?? 0)
  }

  /** Phones change networks all day and browsers are updated: only the kind of browser counts. */
  async #compareHome({ sessionId, userAgent, addressHash }: Standing): Promise<Conduct['home']> {
    if (sessionId === undefined) return 'same'
    const { family } = parseUserAgent(userAgent)
    const here = `${family}|${addressHash}`
    const home = `bot:home:${sessionId}`
    const first = this.#cacheRedis.call('SET', home, here, 'EX', HOME_SECONDS, 'NX', 'GET')
    const known = await this.#orElse(null, first)
    const [knownFamily, knownAddress] = (typeof known === 'string' ? known : here).split('|')
    if (knownFamily === family) return 'same'
    return knownAddress === addressHash ? 'other-browser' : 'elsewhere'
  }

  async #orElse<T, U>(fallback: U, answer: Promise<T>): Promise<T | U> {
    try {
      return await answer
    } catch (error) {
      this.#onError(error)
      return fallback
    }
  }
}

const clearKey = (guest: string) => `bot:clear:${guest}`
const failureKey = (guest: string) => `bot:failed:${guest}`
const penaltyKey = (fingerprintHash: string) => `bot:penalty:${fingerprintHash}`
