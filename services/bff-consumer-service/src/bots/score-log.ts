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
 * Writes behind the answers, many rows at once, and so many in a second at most: a flood of
 * strangers must not fill the database. What does not fit, or cannot be written, is dropped and
 * counted: no row here is worth a request, or a second attempt while Postgres is in trouble.
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

  /** Resolves when all that was added before is written or dropped. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#afterThat(async () => {
      while (this.#queue.length > 0) await this.#writeSome()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#writeInTurn(), LINGER_MS)
  }

  async #writeInTurn(): Promise<void> {
    await this.#afterThat(() => this.#writeSome())
    this.#timer = undefined
    if (this.#queue.length > 0) this.#schedule()
  }

  #afterThat(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write)
    return this.#writing
  }

  async #writeSome(): Promise<void> {
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
