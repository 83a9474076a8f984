import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { type Clock, createDeadline } from '@melmastoon/chassis/clock'
import { Coalescer } from '@melmastoon/chassis/concurrency'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { type Problem, problem } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import type { TokenClaims } from './access-token.ts'
import type { SessionConfirmations } from './confirm-session.ts'
import { parseRecord, type SessionRecord, type SessionRecords } from './session-records.ts'
import type { StoreEpoch } from './store-epoch.ts'

export interface SessionsDeps {
  readonly records: SessionRecords
  readonly confirmations: SessionConfirmations
  readonly epoch: StoreEpoch
  readonly clock: Clock
  readonly onOpened: (record: SessionRecord, cause: OpeningCause) => void
  readonly onReplay: () => void
  readonly onError: (error: unknown) => void
}

/** Of the first request of a session. */
export interface OpeningCause {
  readonly claims: TokenClaims
  readonly trace: TraceContext
}

interface Seen {
  /** The text that is stored is not kept: it is as long as all the rest. */
  readonly record: SessionRecord
  extendedMs: number
  usedMs: number
}

const SEEN_MAX = 20_000
const EXTEND_EVERY_MS = 60_000
const ACTIVE_MS = 15 * 60_000
/** The upstream's own limit is shorter. */
const CONFIRM_MS = 5_000

/**
 * Proofs and sessions of requests, in one round trip to Redis. A session that Redis does not have
 * is opened only after iam confirmed it: an emptied Redis revives no revoked session.
 */
export class Sessions {
  readonly #deps: SessionsDeps
  readonly #seen = new LRUCache<string, Seen>({ max: SEEN_MAX })
  readonly #opening = new Coalescer<SessionRecord>()

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /**
   * @param epoch the one whose nonce dates the proof.
   * @throws Problem DPOP_REPLAYED, DPOP_NONCE_REQUIRED, SESSION.REVOKED; errors of Redis
   */
  async admit(claims: TokenClaims, proof: AcceptedProof, call: UpstreamCall): Promise<void> {
    const admission = await this.#deps.records.admit(claims.sessionId, proof.key)
    if (admission === 'replayed') {
      this.#deps.onReplay()
      throw problem('MELMASTOON.SECURITY.DPOP_REPLAYED')
    }
    if (admission === 'revoked') throw revoked()
    if (admission === 'absent') await this.#open(claims, proof, call)
    else await this.#check(claims, proof, admission.stored)
    if (this.#deps.epoch.value !== proof.epoch) throw outdated()
  }

  /** How many sessions this process has served lately. */
  activeCount(): number {
    const sinceMs = this.#nowMs() - ACTIVE_MS
    let count = 0
    for (const { usedMs } of this.#seen.values()) if (usedMs >= sinceMs) count += 1
    return count
  }

  forget(sessionId: string): void {
    this.#seen.delete(sessionId)
    this.#deps.confirmations.forget(sessionId)
  }

  async #check(claims: TokenClaims, proof: AcceptedProof, stored: string): Promise<void> {
    const seen = this.#remember(claims, stored)
    if (!isSame(seen.record, claims)) throw revoked()
    if (seen.record.epoch !== this.#deps.epoch.value) await this.#adopt(seen.record, proof)
    const nowMs = this.#nowMs()
    seen.usedMs = nowMs
    if (nowMs - seen.extendedMs < EXTEND_EVERY_MS) return
    seen.extendedMs = nowMs
    const { records, clock, onError } = this.#deps
    records.extend(seen.record, clock.nowMs()).catch(onError)
  }

  /** Another process may have noticed a new epoch before this one. */
  async #adopt(record: SessionRecord, proof: AcceptedProof): Promise<void> {
    const { epoch, records, clock } = this.#deps
    if ((await epoch.read()) !== proof.epoch) throw outdated()
    await records.open({ ...record, epoch: epoch.value }, clock.nowMs())
  }

  async #open(claims: TokenClaims, proof: AcceptedProof, call: UpstreamCall): Promise<void> {
    // The store that lost the session may have lost used proofs with it.
    if ((await this.#deps.epoch.read()) !== proof.epoch) throw outdated()
    const record = await this.#opening.run(`${claims.sessionId} ${claims.jkt}`, () =>
      this.#openConfirmed(claims, call),
    )
    this.#remember(claims, JSON.stringify(record))
  }

  /** For all requests that wait for it, so that none of them ends it by disconnecting. */
  async #openConfirmed(claims: TokenClaims, { trace }: UpstreamCall): Promise<SessionRecord> {
    const { confirmations, records, epoch, clock, onOpened } = this.#deps
    using deadline = createDeadline(CONFIRM_MS)
    const { familyExpiresAt } = await confirmations.confirm(claims, { deadline, trace })
    const { sessionId, tenantId, operatorId, deviceId, jkt } = claims
    const record: SessionRecord = {
      sessionId,
      tenantId,
      operatorId,
      deviceId,
      jkt,
      familyExpiresAtMs: Date.parse(familyExpiresAt),
      epoch: epoch.value,
    }
    const result = await records.open(record, clock.nowMs())
    if (result === 'revoked') throw revoked()
    if (result === 'opened') onOpened(record, { claims, trace })
    return record
  }

  #remember(claims: TokenClaims, stored: string): Seen {
    const known = this.#seen.get(claims.sessionId)
    if (known !== undefined && JSON.stringify(known.record) === stored) return known
    const parsed = parseRecord(stored)
    if (parsed === null) throw new TypeError('a session is never stored empty')
    const nowMs = this.#nowMs()
    const record = withTextsOf(claims, parsed)
    const seen = { record, extendedMs: nowMs, usedMs: nowMs }
    this.#seen.set(claims.sessionId, seen)
    return seen
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }
}

export interface AcceptedProof {
  /** For the replay store. */
  readonly key: string
  /** Of the nonce that the proof contains. */
  readonly epoch: string
}

function isSame(record: SessionRecord, claims: TokenClaims): boolean {
  return (
    record.jkt === claims.jkt &&
    record.tenantId === claims.tenantId &&
    record.operatorId === claims.operatorId &&
    record.deviceId === claims.deviceId
  )
}

/** The same ids, as the texts that the token holds in memory anyway: there are thousands. */
function withTextsOf(claims: TokenClaims, record: SessionRecord): SessionRecord {
  if (!isSame(record, claims)) return record
  const { tenantId, operatorId, deviceId, jkt } = claims
  return { ...record, tenantId, operatorId, deviceId, jkt }
}

function revoked(): Problem {
  return problem('MELMASTOON.SESSION.REVOKED')
}

function outdated(): Problem {
  return problem('MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED')
}
