import { type Problem, problem } from '@melmastoon/domain'
import type { TimeLimit } from '../clock/index.ts'
import type { Queryable, SqlFragment, Tx } from '../db/index.ts'
import { crashPoint } from '../lifecycle/index.ts'
import type { IdempotencyStore } from './idempotency.ts'
import {
  abandonRow,
  type ClaimedRow,
  type Completion,
  checkpointRow,
  claimRow,
  completeRow,
  mutationStatement,
  type RequestRow,
  type RowFence,
} from './idempotency-sql.ts'
import { type Mutation, nullWithoutEffect } from './mutation.ts'
import { isSealed } from './record-protection.ts'
import { findInShortcut, storeInShortcut } from './replay-shortcut.ts'
import { deriveUpstreamKey } from './scope.ts'
import {
  evaluateRow,
  IN_FLIGHT,
  type KeyedRequest,
  type StoredOutcome,
  toRow,
} from './stored-outcome.ts'
import {
  type ResponseDraft,
  renderResponse,
  type StoredResponse,
  sealResponse,
} from './stored-response.ts'

export type RecoveryData = Readonly<Record<string, unknown>>

/**
 * The right to execute one request. Every write is fenced by the attempt that made it: once a later
 * attempt holds the claim it fails with IN_FLIGHT, and the effect is undone with it.
 */
export interface Claim {
  readonly attempt: number
  /** How far the last attempt got: `started`, or its last checkpoint. */
  readonly recoveryPoint: string
  readonly recoveryData: RecoveryData
  /** The stored response, once it is committed. */
  readonly response: StoredResponse | null
  /** The idempotency key to send upstream in this step: the same in every attempt. */
  upstreamKey(step: string): string
  /** Only needed between two upstream calls. Also renews the lease. */
  checkpoint(point: string, data?: RecoveryData): Promise<void>
  /** Result, effects and events in one statement. False: the effect changed no row, none stored. */
  complete(mutation: Mutation): Promise<boolean>
  /** For a statement of the caller, which stores the result as one of its parts. */
  completion(response: ResponseDraft, onlyIf: SqlFragment): PendingCompletion
  /** For effects that need a separate transaction: the result commits with it. */
  completeIn(tx: Tx, response: ResponseDraft): Promise<void>
  /** After a failure that may be temporary: the next attempt need not wait for the lease. */
  abandon(deadline?: TimeLimit): Promise<void>
}

export interface PendingCompletion {
  /** Changes nothing if a later attempt holds the claim, or if `onlyIf` is false. */
  readonly effect: SqlFragment
  /** To be called once the statement has committed. */
  committed(): void
}

export interface ClaimRequest extends KeyedRequest {
  readonly leaseMs: number
}

export type ClaimOutcome = { readonly kind: 'claimed'; readonly claim: Claim } | StoredOutcome

/** Two rounds settle every race but one that is lost repeatedly; that request has to wait. */
const ROUNDS_MAX = 4

/**
 * Claims the key, or returns why not: its result is stored, another attempt is running, or the key
 * belongs to another request. One round trip; a second one only when two claims race.
 */
export async function claim(store: IdempotencyStore, request: ClaimRequest): Promise<ClaimOutcome> {
  const row = toRow(store, request)
  const stored = await findInShortcut(store, row.key, request.requestHash)
  const outcome = stored ?? (await claimInPostgres(store, request, row))
  store.counters.outcomes.inc({ outcome: outcome.kind })
  if (outcome.kind === 'claimed') crashPoint('idempotency.after_claim')
  return outcome
}

export async function claimInPostgres(
  store: IdempotencyStore,
  request: ClaimRequest,
  row: RequestRow,
): Promise<ClaimOutcome> {
  const db = store.db.scoped(row.tenantId, request)
  let wanted = { ...row, leaseMs: request.leaseMs }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const [found] = await db.query(claimRow(wanted))
    if (found === undefined) continue
    if (found.claimed) {
      return { kind: 'claimed', claim: new HeldClaim(store, request, { row: wanted, found }) }
    }
    const outcome = evaluateRow(store, { key: row.key, request: request.requestHash }, found)
    if (outcome.kind !== 'resume') {
      if (outcome.kind === 'replay') storeInShortcut(store.shortcut, row.key, found)
      return outcome
    }
    wanted = { ...wanted, hashVersion: outcome.version, requestHash: outcome.value }
  }
  return IN_FLIGHT
}

class HeldClaim implements Claim {
  readonly attempt: number
  recoveryPoint: string
  recoveryData: RecoveryData
  response: StoredResponse | null = null
  readonly #store: IdempotencyStore
  readonly #request: ClaimRequest
  readonly #row: RequestRow
  readonly #fence: RowFence

  constructor(
    store: IdempotencyStore,
    request: ClaimRequest,
    { row, found }: { readonly row: RequestRow; readonly found: ClaimedRow },
  ) {
    this.#store = store
    this.#request = request
    this.#row = row
    this.#fence = { attempt: found.attempt, generation: found.generation }
    this.attempt = found.attempt
    this.recoveryPoint = found.recovery_point
    this.recoveryData = this.#openRecovery(found.recovery_data)
  }

  upstreamKey(step: string): string {
    return deriveUpstreamKey(this.#store.secret, this.#row.key, step)
  }

  async checkpoint(point: string, data: RecoveryData = {}): Promise<void> {
    crashPoint('idempotency.before_checkpoint')
    const sealed = this.#store.records.seal(this.#recoveryScope, JSON.stringify(data))
    const to = { point, data: sealed, leaseMs: this.#request.leaseMs }
    const rows = await this.#db().query(checkpointRow(this.#row, this.#fence, to))
    if (rows.length === 0) throw this.#lost('checkpoint')
    this.recoveryPoint = point
    this.recoveryData = data
    crashPoint('idempotency.after_checkpoint')
  }

  async complete(mutation: Mutation): Promise<boolean> {
    const { response, result } = this.#toResult(mutation.response)
    crashPoint('idempotency.before_complete')
    const completed = completeRow(this.#row, this.#fence, result)
    const statement = mutationStatement(completed, mutation)
    const rows = await nullWithoutEffect(this.#db().query(statement))
    if (rows === null) return false
    if (rows.length === 0) throw this.#lost('complete')
    this.response = response
    mutation.afterCommit?.()
    return true
  }

  completion(draft: ResponseDraft, onlyIf: SqlFragment): PendingCompletion {
    const { response, result } = this.#toResult(draft)
    crashPoint('idempotency.before_complete')
    return {
      effect: completeRow(this.#row, this.#fence, { ...result, onlyIf }),
      committed: () => {
        this.response = response
      },
    }
  }

  async completeIn(tx: Tx, draft: ResponseDraft): Promise<void> {
    const { response, result } = this.#toResult(draft)
    crashPoint('idempotency.before_complete')
    const rows = await tx.query(completeRow(this.#row, this.#fence, result))
    if (rows.length === 0) throw this.#lost('complete')
    tx.onCommit(() => {
      this.response = response
    })
  }

  async abandon(deadline = this.#request.deadline): Promise<void> {
    await this.#db(deadline).query(abandonRow(this.#row, this.#fence))
  }

  #db(deadline = this.#request.deadline): Queryable {
    return this.#store.db.scoped(this.#row.tenantId, { deadline })
  }

  get #recoveryScope() {
    return { key: this.#row.key, column: 'recovery_data' } as const
  }

  /** Empty before the first checkpoint; rows of earlier releases contain it as it is. */
  #openRecovery(stored: unknown): RecoveryData {
    if (!isSealed(stored)) return stored as RecoveryData
    return JSON.parse(this.#store.records.open(this.#recoveryScope, stored)) as RecoveryData
  }

  #toResult(draft: ResponseDraft): { response: StoredResponse; result: Completion } {
    const response = renderResponse(draft)
    const { status } = response
    if (!(status >= 200 && status < 500)) throw new TypeError(`${status} is not a final outcome`)
    const payload = sealResponse(this.#store.records, this.#row.key, response)
    return { response, result: { status, payload } }
  }

  #lost(step: string): Problem {
    this.#store.counters.fenceLost.inc({ step })
    return problem('MELMASTOON.IDEMPOTENCY.IN_FLIGHT', {
      detail: 'A later attempt took over this request.',
    })
  }
}
