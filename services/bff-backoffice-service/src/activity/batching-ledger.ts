import type { Database } from '@melmastoon/chassis/db'
import { isProblem, newId, type Problem, problem } from '@melmastoon/domain'
import type { Activity, Ledger } from './activity.ts'
import { type ActivityRow, insertActivities } from './activity-sql.ts'

export interface LedgerOptions {
  readonly db: Pick<Database, 'query'>
  /** How long the first row of a batch waits for further rows. */
  readonly lingerMs?: number
  readonly maxBatch?: number
  /** Rows in memory, waiting or being written; further rows are rejected. */
  readonly maxQueued?: number
  /** For one statement, the wait for a connection included. */
  readonly statementMs?: number
  readonly onError?: (error: unknown) => void
  /** Receives the rows of a committed statement and how long the first of them waited. */
  readonly onWritten?: (rows: number, waitedMs: number) => void
  readonly onRejected?: (rows: number) => void
}

const LINGER_MS = 5
const BATCH_MAX = 500
const QUEUED_MAX = 5_000
const STATEMENT_MS = 2_000

interface Waiting {
  readonly row: ActivityRow
  readonly sinceMs: number
  readonly resolve: () => void
  readonly reject: (error: Problem) => void
}

/**
 * One insert for the rows of a few milliseconds: the caller waits for its commit. A row that
 * cannot be written, or that finds the queue full, is rejected: nothing is dropped silently, and a
 * mutation without its row does not succeed.
 */
export class BatchingLedger implements Ledger, AsyncDisposable {
  readonly #options: Required<LedgerOptions>
  readonly #queue: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: LedgerOptions) {
    this.#options = {
      lingerMs: LINGER_MS,
      maxBatch: BATCH_MAX,
      maxQueued: QUEUED_MAX,
      statementMs: STATEMENT_MS,
      onError: () => undefined,
      onWritten: () => undefined,
      onRejected: () => undefined,
      ...options,
    }
  }

  record(activity: Activity): Promise<void> {
    const { maxQueued, maxBatch, onRejected } = this.#options
    if (this.#queue.length >= maxQueued) {
      onRejected(1)
      return Promise.reject(unavailable('too much activity is waiting to be recorded'))
    }
    const row = { ...activity, id: newId('act') }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#queue.push({ row, sinceMs: performance.now(), resolve, reject })
    if (this.#queue.length >= maxBatch) void this.#write()
    else this.#schedule()
    return promise
  }

  /** Writes what is waiting; no row is left without a result. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#queue.length > 0 || this.#writing !== undefined) await this.#write()
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#writing !== undefined) return
    this.#timer ??= setTimeout(() => void this.#write(), this.#options.lingerMs)
  }

  /** One statement at a time; the rows that arrive meanwhile are the next batch. */
  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined
      // These rows have waited for the statement already.
      if (this.#queue.length > 0) void this.#write()
    })
    return this.#writing
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#queue.slice(0, this.#options.maxBatch)
    const failure = await this.#insert(batch)
    if (failure === null) this.#settle(batch)
    else if (isProblem(failure) && failure.retriable) await this.#again(batch)
    else await this.#singly(batch)
    this.#queue.splice(0, batch.length)
  }

  /** On another connection, under the same ids. */
  async #again(batch: readonly Waiting[]): Promise<void> {
    const failure = await this.#insert(batch)
    if (failure === null) this.#settle(batch)
    else this.#fail(batch, failure)
  }

  /** A row that Postgres rejects does not prevent the others from being written. */
  async #singly(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) {
      const failure = await this.#insert([waiting])
      if (failure === null) this.#settle([waiting])
      else this.#fail([waiting], failure)
    }
  }

  async #insert(batch: readonly Waiting[]): Promise<unknown> {
    const endMs = performance.now() + this.#options.statementMs
    const deadline = { remainingMs: () => Math.max(0, endMs - performance.now()) }
    try {
      await this.#options.db.query(insertActivities(batch.map(({ row }) => row)), { deadline })
      return null
    } catch (error) {
      return error ?? new TypeError('no reason')
    }
  }

  #settle(batch: readonly Waiting[]): void {
    const [first] = batch
    if (first !== undefined) {
      this.#options.onWritten(batch.length, performance.now() - first.sinceMs)
    }
    for (const { resolve } of batch) resolve()
  }

  #fail(batch: readonly Waiting[], cause: unknown): void {
    this.#options.onError(cause)
    this.#options.onRejected(batch.length)
    for (const { reject } of batch) reject(unavailable('the activity was not recorded', cause))
  }
}

function unavailable(detail: string, cause?: unknown): Problem {
  return problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause })
}
