import { hash, type KeyObject } from 'node:crypto'
import type { Clock } from '@melmastoon/chassis/clock'
import { LRUCache } from 'lru-cache'
import {
  invalidToken,
  parseToken,
  requireCurrent,
  type TokenClaims,
  type TokenRules,
  type UnverifiedToken,
  verifyToken,
} from './access-token.ts'
import type { Operator } from './operator.ts'
import { type OperatorLookup, type OperatorRecord, operatorLookup } from './operator-records.ts'
import type { SigningKeys } from './signing-keys.ts'

/** A token whose signature was verified, and what was derived from it. */
export interface VerifiedToken {
  readonly claims: TokenClaims
  readonly lookup: OperatorLookup
  /** The operator that this token stands for while the record is `record`. */
  operator: { readonly record: OperatorRecord; readonly value: Operator } | null
}

interface Kept extends VerifiedToken {
  readonly kid: string
  readonly key: KeyObject
}

export interface VerifiedTokensDeps {
  readonly keys: SigningKeys
  readonly rules: TokenRules
  readonly clock: Clock
}

/** At the bound the least recently used token is verified again. An entry takes about 1 KiB. */
const TOKENS_MAX = 20_000

/**
 * A device presents the same token for 15 minutes: its signature is verified once. The token itself
 * is not kept: it is a credential, and longer than everything that was derived from it.
 */
export class VerifiedTokens {
  readonly #deps: VerifiedTokensDeps
  /** By the hash of the token. */
  readonly #kept = new LRUCache<string, Kept>({ max: TOKENS_MAX })

  constructor(deps: VerifiedTokensDeps) {
    this.#deps = deps
  }

  /** Undefined unless it was verified with a key that iam still publishes. @throws TOKEN_EXPIRED */
  known(token: string): VerifiedToken | undefined {
    const kept = this.#kept.get(hashOf(token))
    if (kept === undefined || this.#deps.keys.known(kept.kid) !== kept.key) return undefined
    requireCurrent(kept.claims, this.#deps.clock.nowMs())
    return kept
  }

  /** @throws Problem TOKEN_INVALID */
  parse(token: string): UnverifiedToken {
    return parseToken(token, this.#deps.rules)
  }

  /** @throws Problem TOKEN_INVALID, TOKEN_EXPIRED, or that of iam when its keys cannot be read */
  async verify(token: string, unverified: UnverifiedToken): Promise<VerifiedToken> {
    const { keys, rules, clock } = this.#deps
    const { kid } = unverified
    const key = keys.known(kid) ?? (await keys.find(kid))
    if (key === undefined) throw invalidToken()
    const claims = verifyToken(unverified, key, { rules, nowMs: clock.nowMs() })
    const kept: Kept = { claims, kid, key, lookup: operatorLookup(claims), operator: null }
    this.#kept.set(hashOf(token), kept)
    return kept
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
