import { isIP } from 'node:net'
import { type Limiter, limitProblem } from '@melmastoon/chassis/limits'
import type { Problem, ProblemCode } from '@melmastoon/domain'
import { networkOf } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'

/** A wrong nonce and an expired token are part of normal use and no failures. */
const COUNTED: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'MELMASTOON.SECURITY.TOKEN_INVALID',
  'MELMASTOON.SECURITY.DEVICE_MISMATCH',
  'MELMASTOON.SECURITY.DPOP_PROOF_INVALID',
  'MELMASTOON.SECURITY.DPOP_REPLAYED',
  'MELMASTOON.IAM.REFRESH_INVALID',
  'MELMASTOON.IAM.REFRESH_REUSED',
])

const ADDRESSES_MAX = 20_000
const KEYS_MAX = 20_000

/**
 * Failures per client address. The whole staff of a hotel may share one address, so a key that has
 * succeeded before is not affected by the failures of others.
 */
export class FailedAttempts {
  readonly #limiter: Limiter
  readonly #nowMs: () => number
  readonly #blockedUntilMs = new LRUCache<string, number>({ max: ADDRESSES_MAX })

  /** Thumbprints of device keys. */
  readonly #trusted = new LRUCache<string, true>({ max: KEYS_MAX })

  constructor(limiter: Limiter, clock: { monotonicMs(): number }) {
    this.#limiter = limiter
    this.#nowMs = () => clock.monotonicMs()
  }

  /**
   * @param jkt the key that the client claims to have: to claim that of another device gains
   *   nothing but the right to fail again.
   * @throws Problem RATE_LIMITED after too many failures
   */
  check(address: string, jkt: string | undefined): void {
    if (jkt !== undefined && this.#trusted.has(jkt)) return
    const untilMs = this.#blockedUntilMs.get(keyOf(address))
    if (untilMs === undefined || untilMs <= this.#nowMs()) return
    const retryAfterSeconds = Math.ceil((untilMs - this.#nowMs()) / 1_000)
    const { policy } = this.#limiter
    const decision = { allowed: false, policy, remaining: 0, retryAfterSeconds }
    throw limitProblem({ ...decision, resetSeconds: retryAfterSeconds })
  }

  trust(jkt: string): void {
    if (!this.#trusted.has(jkt)) this.#trusted.set(jkt, true)
  }

  /** Counts the failure, if it is one. */
  async count(address: string, { code }: Problem): Promise<void> {
    if (!COUNTED.has(code)) return
    const key = keyOf(address)
    const { allowed, retryAfterSeconds } = await this.#limiter.take(key)
    if (!allowed) this.#blockedUntilMs.set(key, this.#nowMs() + retryAfterSeconds * 1_000)
  }
}

function keyOf(address: string): string {
  return isIP(address) === 0 ? 'unknown' : networkOf(address)
}
