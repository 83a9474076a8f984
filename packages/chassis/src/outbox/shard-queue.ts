import { crashPoint } from '../lifecycle/index.ts'
import { type BatchResult, publishBatch } from './publish-batch.ts'
import type { RelaySettings } from './relay-options.ts'
import {
  type HeldLease,
  markFailed,
  markPublished,
  nextRetry,
  type OutboxRow,
  readBatch,
} from './relay-sql.ts'

export interface ShardQueueOptions {
  settings: RelaySettings
  owner: string
  usableShards: () => number[]
}

export interface BatchSummary {
  read: number
  published: number
  unavailable: string | undefined
}

const NOTHING: BatchSummary = { read: 0, published: 0, unavailable: undefined }

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
    const startedAtMs = settings.clock.monotonicMs()
    const rows = await settings.db.query(
      readBatch({ owner, shards, batchSize: settings.batchSize }),
    )
    // After a pause of the whole process another relay may hold the lease.
    const elapsedMs = settings.clock.monotonicMs() - startedAtMs
    const ours = rows.filter((row) => row.leaseLeftMs > elapsedMs).toSorted((a, b) => a.seq - b.seq)
    if (ours.length === 0) return NOTHING
    crashPoint('relay.after_read')
    const result = await publishBatch(settings, ours)
    crashPoint('relay.after_publish')
    await this.#settle(ours, result)
    const { published, unavailable } = result
    return { read: ours.length, published: published.length, unavailable }
  }

  /** Starts where the last batch ended, so that a full shard does not starve its neighbours. */
  #nextShards(): number[] {
    const shards = this.#options.usableShards()
    if (shards.length === 0) return shards
    this.#rotation = (this.#rotation + 1) % shards.length
    return [...shards.slice(this.#rotation), ...shards.slice(0, this.#rotation)]
  }

  async #settle(rows: readonly OutboxRow[], result: BatchResult): Promise<void> {
    const { settings, owner } = this.#options
    const proof = { owner, leases: leasesOf(rows), fenced: settings.fenced }
    const { published, failed } = result
    if (published.length > 0) {
      const readAt = rows[0]?.readAt ?? ''
      const [mark] = await settings.db.query(markPublished(proof, published, readAt))
      this.#report(published.length, mark ?? { moved: 0, lagSeconds: 0 })
    }
    if (failed.length === 0) return
    this.#checkedShards = ''
    const settled = await settings.db.query(markFailed(proof, failed, settings.retry))
    const dead = settled.filter((row) => row.status === 'dead')
    for (const { eventId, subject } of dead) settings.metrics.onDead?.({ eventId, subject })
    if (settled.length > dead.length) settings.metrics.onRetry?.(settled.length - dead.length)
    if (failed.length > settled.length) {
      settings.metrics.onFencedMark?.(failed.length - settled.length)
    }
  }

  #report(count: number, mark: { moved: number; lagSeconds: number }): void {
    const { metrics } = this.#options.settings
    if (mark.moved > 0) metrics.onPublished?.(mark.moved, mark.lagSeconds)
    if (mark.moved < count) metrics.onFencedMark?.(count - mark.moved)
  }
}

function leasesOf(rows: readonly OutboxRow[]): HeldLease[] {
  const fences = new Map(rows.map((row) => [row.shard, row.fence]))
  return [...fences].map(([shard, fence]) => ({ shard, fence }))
}
