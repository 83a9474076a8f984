import { crashPoint } from '../lifecycle/index.ts'
import type { ReadRows } from './plan-settlement.ts'
import { publishBatch } from './publish-batch.ts'
import { nextRetry, type OutboxRow, readBatch, type ShardCursor } from './read-batch-sql.ts'
import type { RelaySettings } from './relay-options.ts'
import { settleBatch } from './settle-batch.ts'

export interface ShardQueueOptions {
  settings: RelaySettings
  owner: string
  usableShards: () => number[]
}

export interface BatchSummary {
  read: number
  published: number
  /** Rows that were written after the span of this batch were not read. */
  endsSpan: boolean
  unavailable: string | undefined
}

const NOTHING: BatchSummary = { read: 0, published: 0, endsSpan: false, unavailable: undefined }

/**
 * Works on its own shards, one batch after the other: read, publish, settle. Queues run in
 * parallel, so the database reads for one while the broker receives from another; a key belongs to
 * one shard and a shard to one queue, so its order does not depend on that.
 */
export class ShardQueue {
  readonly #options: ShardQueueOptions
  #running: Promise<unknown> = Promise.resolve()
  #rotation = 0
  /** Shards that were taken over may have retries as well. */
  #checkedShards = ''

  constructor(options: ShardQueueOptions) {
    this.#options = options
  }

  settled(): Promise<unknown> {
    return this.#running
  }

  /** How long until a retry is due; undefined when none is waiting. */
  async retryDueMs(): Promise<number | undefined> {
    const shards = this.#options.usableShards()
    if (shards.length === 0 || shards.join() === this.#checkedShards) return undefined
    const [row] = await this.#options.settings.db.query(nextRetry(shards))
    const dueInMs = row?.dueInMs ?? undefined
    if (dueInMs === undefined) this.#checkedShards = shards.join()
    return dueInMs
  }

  runBatch(): Promise<BatchSummary> {
    const batch = this.#work()
    this.#running = batch.catch(() => undefined)
    return batch
  }

  async #work(): Promise<BatchSummary> {
    const { settings, owner } = this.#options
    const shards = this.#nextShards()
    if (shards.length === 0) return NOTHING
    const readAtMs = settings.clock.monotonicMs()
    const read = await this.#read(shards)
    const endsSpan = !read.isFull && read.cursors.some((cursor) => cursor.inSpan)
    if (read.rows.length === 0 && !endsSpan) return NOTHING
    crashPoint('relay.after_read')
    const result = await publishBatch(settings, read.rows, read.cursors[0]?.readAt ?? '')
    crashPoint('relay.after_publish')
    if (result.failed.length + result.waiting.length > 0) this.#checkedShards = ''
    await settleBatch({ settings, owner, readAtMs }, read, result)
    const { published, unavailable } = result
    return { read: read.rows.length, published: published.length, endsSpan, unavailable }
  }

  async #read(shards: readonly number[]): Promise<ReadRows> {
    const { settings, owner } = this.#options
    const { batchSize, clock, db } = settings
    const startedAtMs = clock.monotonicMs()
    const cursors: ShardCursor[] = []
    const rows: OutboxRow[] = []
    for (const line of await db.query(readBatch({ owner, shards, batchSize }))) {
      if (line.cursor === null) rows.push(line)
      else cursors.push(line.cursor)
    }
    // After a pause of the whole process another relay may hold the lease.
    const elapsedMs = clock.monotonicMs() - startedAtMs
    const held = cursors.filter((cursor) => cursor.leaseLeftMs > elapsedMs)
    const ours = new Set(held.map((cursor) => cursor.shard))
    return {
      cursors: held,
      rows: rows.filter((row) => ours.has(row.shard)).toSorted((a, b) => a.seq - b.seq),
      isFull: rows.length >= batchSize,
    }
  }

  /** Starts where the last batch ended, so that a full shard does not starve its neighbours. */
  #nextShards(): number[] {
    const shards = this.#options.usableShards()
    if (shards.length === 0) return shards
    this.#rotation = (this.#rotation + 1) % shards.length
    return [...shards.slice(this.#rotation), ...shards.slice(0, this.#rotation)]
  }
}
