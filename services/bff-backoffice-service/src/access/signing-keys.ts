import { createPublicKey, type KeyObject } from 'node:crypto'
import { type Clock, createDeadline, type Deadline } from '@melmastoon/chassis/clock'
import type { Jwks } from '@melmastoon/upstream-contracts/iam'

export interface SigningKeysDeps {
  readonly iam: { jwks(input: object, call: { readonly deadline: Deadline }): Promise<Jwks> }
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The public keys of iam. They stay valid while iam is unavailable. */
export interface SigningKeys {
  /** Of the keys known now; starts reading them again in the background when they are old. */
  known(kid: string): KeyObject | undefined
  /** Reads the keys again for an unknown id. @throws Problem when iam is unavailable */
  find(kid: string): Promise<KeyObject | undefined>
}

const FRESH_MS = 5 * 60_000
/** Unknown ids cause one read in this time, whatever their number: anybody can make them up. */
const UNKNOWN_MS = 30_000
const RETRY_MS = 1_000
/** The upstream's own limit is shorter. */
const READ_MS = 5_000

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  return new ReadKeys(deps)
}

class ReadKeys implements SigningKeys {
  readonly #deps: SigningKeysDeps
  #keys = new Map<string, KeyObject>()
  #freshUntilMs = Number.NEGATIVE_INFINITY
  #nextUnknownMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(deps: SigningKeysDeps) {
    this.#deps = deps
  }

  known(kid: string): KeyObject | undefined {
    if (this.#nowMs() > this.#freshUntilMs && this.#keys.size > 0) {
      this.#freshUntilMs = this.#nowMs() + RETRY_MS
      this.#read().catch(this.#deps.onError)
    }
    return this.#keys.get(kid)
  }

  async find(kid: string): Promise<KeyObject | undefined> {
    const known = this.known(kid)
    if (known !== undefined) return known
    if (this.#keys.size === 0 || this.#reading !== null) await this.#read()
    else if (this.#nowMs() >= this.#nextUnknownMs) await this.#readForUnknown()
    return this.#keys.get(kid)
  }

  async #readForUnknown(): Promise<void> {
    this.#nextUnknownMs = this.#nowMs() + UNKNOWN_MS
    await this.#read().catch((error: unknown) => {
      this.#nextUnknownMs = this.#nowMs() + RETRY_MS
      throw error
    })
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    using deadline = createDeadline(READ_MS)
    const { keys } = await this.#deps.iam.jwks({}, { deadline })
    this.#keys = new Map(keys.map((jwk) => [jwk.kid, importKey(jwk, this.#keys)]))
    this.#freshUntilMs = this.#nowMs() + FRESH_MS
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }
}

/** The same object as long as the key is the same: verified tokens refer to it. */
function importKey(jwk: Jwks['keys'][number], known: ReadonlyMap<string, KeyObject>): KeyObject {
  const { kty, crv, x, kid } = jwk
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  const previous = known.get(kid)
  return previous?.equals(key) ? previous : key
}
