import { type Problem, problem } from '@melmastoon/domain'
import type { Queryable, Tx } from '../db/index.ts'
import { crashPoint } from '../lifecycle/index.ts'
import { deriveUpstreamKey } from './scope.ts'
import { abandonRow } from './sql/abandon-row.ts'
import { checkpointRow } from './sql/checkpoint-row.ts'
import type { ClaimedRow, ClaimInput } from './sql/claim-row.ts'
import { completeRow } from './sql/complete-row.ts'
import type { RowFence } from './sql/row-scope.ts'
import type { IdempotencyStore } from './store.ts'
import {
  encodeResponse,
  type ResponseDraft,
  renderResponse,
  type StoredResponse,
} from './stored-response.ts'

export type RecoveryData = Readonly<Record<string, unknown>>

/**
 * The right to carry out one request. Every write names the attempt that made it; once a later
 * attempt owns the key they fail with IN_FLIGHT, and inside a transaction take the effect with
 * them.
 */
export interface Claim {
  readonly attempt: number
  /** Where the last attempt got to: `started`, or the last checkpoint. */
  readonly recoveryPoint: string
  readonly recoveryData: RecoveryData
  /** What `complete` stored, once that is committed. */
  readonly response: StoredResponse | null
  /** The idempotency key to send upstream in this step. */
  upstreamKey(step: string): string
  /** Also renews the lease. */
  checkpoint(point: string, data?: RecoveryData, tx?: Tx): Promise<void>
  complete(response: ResponseDraft, tx?: Tx): Promise<void>
  /** For failures that may pass: the next send takes over at once. */
  abandon(): Promise<void>
}

export class HeldClaim implements Claim {
  readonly attempt: number
  recoveryPoint: string
  recoveryData: RecoveryData
  response: StoredResponse | null = null
  readonly #store: IdempotencyStore
  readonly #input: ClaimInput
  readonly #fence: RowFence

  constructor(store: IdempotencyStore, input: ClaimInput, row: ClaimedRow) {
    this.#store = store
    this.#input = input
    this.#fence = { attempt: row.attempt, generation: row.generation }
    this.attempt = row.attempt
    this.recoveryPoint = row.recovery_point
    this.recoveryData = row.recovery_data as RecoveryData
  }

  upstreamKey(step: string): string {
    return deriveUpstreamKey(this.#store.secret, this.#input.digest, step)
  }

  async checkpoint(point: string, data: RecoveryData = {}, tx?: Tx): Promise<void> {
    crashPoint('idempotency.before_checkpoint')
    const { leaseMs } = this.#input
    const statement = checkpointRow({ row: this.#input, fence: this.#fence, point, data, leaseMs })
    const rows = await this.#queryable(tx).query(statement)
    if (rows.length === 0) throw this.#lost('checkpoint')
    this.recoveryPoint = point
    this.recoveryData = data
    crashPoint('idempotency.after_checkpoint')
  }

  async complete(draft: ResponseDraft, tx?: Tx): Promise<void> {
    const response = renderResponse(draft)
    const { status } = response
    if (!(status >= 200 && status < 500)) throw new TypeError(`${status} is not a final outcome`)
    const payload = encodeResponse(response)
    crashPoint('idempotency.before_complete')
    const statement = completeRow({ row: this.#input, fence: this.#fence, status, payload })
    const [row] = await this.#queryable(tx).query(statement)
    if (row === undefined) throw this.#lost('complete')
    const settle = () => {
      this.response = response
    }
    if (tx === undefined) settle()
    else tx.onCommit(settle)
  }

  async abandon(): Promise<void> {
    await this.#queryable(undefined).query(abandonRow(this.#input, this.#fence))
  }

  #queryable(tx: Tx | undefined): Queryable {
    return tx ?? this.#store.db.scoped(this.#input.tenantId)
  }

  #lost(step: string): Problem {
    this.#store.counters.fenceLost.inc({ step })
    return problem('MELMASTOON.IDEMPOTENCY.IN_FLIGHT', {
      detail: 'A later attempt took this request over.',
    })
  }
}
