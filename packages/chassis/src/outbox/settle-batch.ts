import { type Advanced, advanceCursors } from './cursor-sql.ts'
import { planSettlement, type ReadRows } from './plan-settlement.ts'
import type { BatchResult } from './publish-batch.ts'
import type { RelaySettings } from './relay-options.ts'
import { type LeaseProof, type MarkFailedRow, markFailed, markPublished } from './relay-sql.ts'

export interface SettleOptions {
  settings: RelaySettings
  owner: string
  /** By the relay's monotonic clock. */
  readAtMs: number
}

interface Counts {
  published: number
  fenced: number
}

/** Records the results of a batch: of the log by its cursors, of `outbox` row by row. */
export async function settleBatch(
  options: SettleOptions,
  read: ReadRows,
  result: BatchResult,
): Promise<void> {
  const { metrics, clock } = options.settings
  const rows = await settleRows(options, read, result)
  const log = await settleLog(options, read, result)
  const published = rows.published + log.published
  const fenced = rows.fenced + log.fenced
  const waitedMs = result.published.reduce((most, row) => Math.max(most, row.ageMs), 0)
  const lagSeconds = (waitedMs + clock.monotonicMs() - options.readAtMs) / 1_000
  if (published > 0) metrics.onPublished?.(published, lagSeconds)
  if (fenced > 0) metrics.onFencedMark?.(fenced)
}

async function settleRows(
  { settings, owner }: SettleOptions,
  { cursors }: ReadRows,
  result: BatchResult,
): Promise<Counts> {
  const { db, fenced, retry, metrics } = settings
  const proof: LeaseProof = { owner, leases: cursors, fenced }
  const published = result.published.filter((row) => row.source === 'outbox')
  const failed = result.failed.filter(({ row }) => row.source === 'outbox')
  const readAt = cursors[0]?.readAt ?? ''
  const [mark] =
    published.length === 0 ? [] : await db.query(markPublished(proof, published, readAt))
  const settled = failed.length === 0 ? [] : await db.query(markFailed(proof, failed, retry))
  reportFailures(metrics, settled)
  const moved = mark?.moved ?? 0
  const lost = published.length - moved + failed.length - settled.length
  return { published: moved, fenced: lost }
}

async function settleLog(
  { settings, owner }: SettleOptions,
  read: ReadRows,
  result: BatchResult,
): Promise<Counts> {
  const { db, fenced, retry, metrics } = settings
  const { advances, setAside } = planSettlement(read, result)
  if (advances.length === 0) return { published: 0, fenced: 0 }
  const input = { owner, fenced, advances, setAside, policy: retry }
  const [advanced] = await db.query(advanceCursors(input))
  reportFailures(metrics, advanced?.setAside ?? [])
  return countLog(result, advanced)
}

function countLog({ published }: BatchResult, advanced: Advanced | undefined): Counts {
  const shards = new Set(advanced?.shards)
  const rows = published.filter((row) => row.source === 'log')
  const settled = rows.filter((row) => shards.has(row.shard)).length
  return { published: settled, fenced: rows.length - settled }
}

function reportFailures(
  metrics: RelaySettings['metrics'],
  settled: readonly MarkFailedRow[],
): void {
  const retried = settled.filter((row) => row.status === 'retrying').length
  for (const { eventId, subject, status } of settled) {
    if (status === 'dead') metrics.onDead?.({ eventId, subject })
  }
  if (retried > 0) metrics.onRetry?.(retried)
}
