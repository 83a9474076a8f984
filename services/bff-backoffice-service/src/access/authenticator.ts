import type { Clock } from '@melmastoon/chassis/clock'
import { isProblem, problem } from '@melmastoon/domain'
import {
  PROOF_REPLAY_TTL_MS,
  ProofKeyCache,
  type ReplayStore,
  replayKey,
  type verifyProof,
} from '@melmastoon/security'
import type { PresentedCredentials, PresentedProof } from './access.ts'
import { claimedKey, readAuthorization, type TokenClaims } from './access-token.ts'
import type { SessionConfirmations } from './confirm-session.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { Nonces } from './nonces.ts'
import type { Operator } from './operator.ts'
import type { OperatorRecords } from './operator-records.ts'
import { resolveOperator } from './resolve-operator.ts'
import type { SessionRecords } from './session-records.ts'
import type { AcceptedProof, Sessions } from './sessions.ts'
import type { StoreEpoch } from './store-epoch.ts'
import type { VerifiedToken, VerifiedTokens } from './verified-tokens.ts'

export interface AuthenticatorDeps {
  /** Origin and path, without a slash at the end. */
  readonly publicUrls: readonly string[]
  readonly clock: Clock
  readonly epoch: StoreEpoch
  readonly nonces: Nonces
  readonly tokens: VerifiedTokens
  readonly sessions: Sessions
  readonly records: SessionRecords
  readonly confirmations: SessionConfirmations
  readonly operators: OperatorRecords
  readonly attempts: FailedAttempts
  /** Of this process, while Redis is unavailable. */
  readonly localReplays: ReplayStore
  readonly onReplay: () => void
  readonly verifyProof: typeof verifyProof
}

interface TokenBinding {
  readonly accessToken?: string
  readonly expectedJkt?: string
}

export class Authenticator {
  readonly #deps: AuthenticatorDeps
  readonly #proofKeys = new ProofKeyCache()

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps
  }

  async authenticate(credentials: PresentedCredentials): Promise<Operator> {
    const { address } = credentials
    try {
      const token = readAuthorization(credentials.authorization)
      const verified = this.#deps.tokens.known(token) ?? (await this.#verify(token, address))
      const { claims } = verified
      requireDevice(claims, credentials)
      await this.#admit(token, claims, credentials)
      this.#deps.attempts.trust(claims.jkt)
      const record = await this.#deps.operators.get(verified.lookup, credentials)
      return resolveOperator(verified, record)
    } catch (error) {
      await this.#noteFailure(address, error)
      throw error
    }
  }

  async withDeviceKey<T>(presented: PresentedProof, work: (jkt: string) => Promise<T>): Promise<T> {
    const { attempts, epoch, records } = this.#deps
    const { address } = presented
    try {
      if (!epoch.isCurrent) await epoch.read().catch(unavailable)
      const { key, jkt, epoch: datedBy } = this.#verifyProof(presented, {})
      attempts.check(address, jkt)
      if (!(await records.claimProof(jkt, key).catch(unavailable))) throw this.#replayed()
      // A store that was emptied does not know the proof, and no session shows that it was.
      await epoch.refresh()
      if (epoch.value !== datedBy) throw problem('MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED')
      const result = await work(jkt)
      attempts.trust(jkt)
      return result
    } catch (error) {
      await this.#noteFailure(address, error)
      throw error
    }
  }

  /** The nonce of a challenge must be valid, also when the store was emptied just now. */
  async #noteFailure(address: string, error: unknown): Promise<void> {
    if (!isProblem(error)) return
    if (error.code === 'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED') await this.#deps.epoch.refresh()
    else await this.#deps.attempts.count(address, error)
  }

  #verify(token: string, address: string): Promise<VerifiedToken> {
    const { attempts, tokens } = this.#deps
    const unverified = tokens.parse(token)
    attempts.check(address, claimedKey(unverified))
    return tokens.verify(token, unverified)
  }

  async #admit(token: string, claims: TokenClaims, credentials: PresentedCredentials) {
    const { epoch, sessions } = this.#deps
    const binding = { accessToken: token, expectedJkt: claims.jkt }
    try {
      if (!epoch.isCurrent) await epoch.read()
      const proof = this.#verifyProof(credentials, binding)
      await sessions.admit(claims, proof, credentials)
    } catch (error) {
      if (isProblem(error)) throw error
      if (!credentials.isRead) unavailable(error)
      await this.#admitWithoutRedis(claims, this.#verifyProof(credentials, binding), credentials)
    }
  }

  /** Reads only (D22). The proof is checked against the proofs that this process has seen. */
  async #admitWithoutRedis(
    claims: TokenClaims,
    { key }: AcceptedProof,
    credentials: PresentedCredentials,
  ): Promise<void> {
    const { localReplays, confirmations } = this.#deps
    if (!(await localReplays.claim(key, PROOF_REPLAY_TTL_MS))) throw this.#replayed()
    await confirmations.confirmQuickly(claims, credentials)
  }

  #verifyProof({ proof, method, path }: PresentedProof, binding: TokenBinding) {
    const { publicUrls, nonces, clock, epoch } = this.#deps
    const verified = this.#deps.verifyProof({
      ...binding,
      header: proof,
      method,
      url: publicUrls.map((base) => `${base}${path}`),
      nonce: nonces.accepted(),
      now: clock.now(),
      keys: this.#proofKeys,
    })
    return { key: replayKey(verified), jkt: verified.jkt, epoch: epoch.value }
  }

  #replayed() {
    this.#deps.onReplay()
    return problem('MELMASTOON.SECURITY.DPOP_REPLAYED')
  }
}

function requireDevice(claims: TokenClaims, { deviceId }: PresentedCredentials): void {
  if (deviceId !== claims.deviceId) throw problem('MELMASTOON.SECURITY.DEVICE_MISMATCH')
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
