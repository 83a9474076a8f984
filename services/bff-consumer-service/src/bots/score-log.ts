import type { Queryable } from '@melmastoon/chassis/db'
import { insertScores, type ScoreRow } from './sql/insert-scores.ts'

export interface ScoreLogOptions {
  readonly db: Queryable
  readonly onDropped: (count: number) => void
  readonly onError: (error: unknown) => void
}

const LINGER_MS = 250
const BATCH_MAX = 200
const QUEUED_MAX = 5_000

/**
 * Writes behind the answers, many rows at once. What does not fit, or cannot be written, is dropped
 * and counted: no row here is worth a request, or a second attempt while Postgres is in trouble.
 */
export class ScoreLog implements AsyncDisposable {
  readonly #options: ScoreLogOptions
  readonly #queue: ScoreRow[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: ScoreLogOptions) {
    this.#options = options
  }

  add(row: ScoreRow): void {
    if (this.#queue.length >= QUEUED_MAX) {
      this.#options.onDropped(1)
      return
    }
    this.#queue.push(row)
    this.#timer ??= setTimeout(() => void this.flush(), LINGER_MS)
  }

  /** Resolves when all that was added before is written or dropped. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = (this.#writing ?? Promise.resolve()).then(() => this.#writeAll())
    return this.#writing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush()
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const rows = this.#queue.splice(0, BATCH_MAX)
      try {
        await this.#options.db.query(insertScores(rows))
      } catch (error) {
        this.#options.onDropped(rows.length)
        this.#options.onError(error)
      }
    }
  }
}
