import type { Queryable } from '@melmastoon/chassis/db'
import { insertScores, type ScoreRow } from './score-log-sql.ts'

export interface ScoreLogOptions {
  readonly db: Queryable
  readonly onDropped: (count: number) => void
  readonly onError: (error: unknown) => void
}

const LINGER_MS = 250
const BATCH_MAX = 200
const QUEUED_MAX = 5_000

/**
 * Writes rows in batches after the responses, at a bounded rate: a flood of visitors must not fill
 * the database. Rows beyond the bound, and rows that cannot be written, are dropped and counted: no
 * row is worth a delayed response, or a second attempt while Postgres is unavailable.
 */
export class ScoreLog implements AsyncDisposable {
  readonly #options: ScoreLogOptions
  readonly #queue: ScoreRow[] = []
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(options: ScoreLogOptions) {
    this.#options = options
  }

  add(row: ScoreRow): void {
    if (this.#queue.length >= QUEUED_MAX) {
      this.#options.onDropped(1)
      return
    }
    this.#queue.push(row)
    this.#schedule()
  }

  /** Resolves when all rows added before are written or dropped. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#enqueue(async () => {
      while (this.#queue.length > 0) await this.#writeBatch()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#writeScheduled(), LINGER_MS)
  }

  async #writeScheduled(): Promise<void> {
    await this.#enqueue(() => this.#writeBatch())
    this.#timer = undefined
    if (this.#queue.length > 0) this.#schedule()
  }

  #enqueue(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write)
    return this.#writing
  }

  async #writeBatch(): Promise<void> {
    const rows = this.#queue.splice(0, BATCH_MAX)
    if (rows.length === 0) return
    try {
      await this.#options.db.query(insertScores(rows))
    } catch (error) {
      this.#options.onDropped(rows.length)
      this.#options.onError(error)
    }
  }
}
