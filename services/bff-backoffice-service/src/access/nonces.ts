import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Clock } from '@melmastoon/chassis/clock'
import { type KeyRing, PROOF_NONCE_STEP_MS, proofNonces } from '@melmastoon/security'

export interface NoncesDeps {
  readonly ring: KeyRing
  readonly clock: Clock
  readonly epoch: { readonly value: string }
}

/** RFC 9449 §8. All instances compute the same nonces from the clock, the keys and the epoch. */
export class Nonces {
  readonly #deps: NoncesDeps
  #epoch: string | null = null
  #step = 0
  #keys: readonly KeyObject[] = []
  #accepted: readonly string[] = []

  constructor(deps: NoncesDeps) {
    this.#deps = deps
  }

  /** The one to send first; then the previous one, and those of other keys of the ring. */
  accepted(): readonly string[] {
    const { clock, epoch } = this.#deps
    const step = Math.floor(clock.nowMs() / PROOF_NONCE_STEP_MS)
    if (step === this.#step && epoch.value === this.#epoch) return this.#accepted
    if (epoch.value !== this.#epoch) this.#keys = this.#keysOf(epoch.value)
    this.#epoch = epoch.value
    this.#step = step
    this.#accepted = this.#keys.flatMap((key) => proofNonces(key, clock.now()))
    return this.#accepted
  }

  current(): string {
    return this.accepted()[0] ?? ''
  }

  #keysOf(epoch: string): KeyObject[] {
    return this.#deps.ring.verifying.map(({ key }) =>
      createSecretKey(createHmac('sha256', key).update(`proof-nonce\n${epoch}`).digest()),
    )
  }
}
