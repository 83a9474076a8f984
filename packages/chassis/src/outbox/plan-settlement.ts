import type { SetAside, ShardAdvance } from './cursor-sql.ts'
import type { BatchResult } from './publish-batch.ts'
import type { OutboxRow, ShardCursor } from './read-batch-sql.ts'

export interface ReadRows {
  cursors: readonly ShardCursor[]
  /** In the order in which they were sent. */
  rows: readonly OutboxRow[]
  /** There may be further rows. */
  isFull: boolean
}

export interface Settlement {
  advances: ShardAdvance[]
  setAside: SetAside[]
}

/**
 * How far the cursors may move after a batch. A cursor passes a row that is published, or that is
 * set aside in the same statement; it stops before the first row that the broker did not receive.
 * Rows that were published behind that one are published again.
 */
export function planSettlement(read: ReadRows, result: BatchResult): Settlement {
  const unpublished = unpublishedRows(result)
  const handled = new Set<OutboxRow>([...result.published, ...unpublished.keys()])
  const byShard = Map.groupBy(
    read.rows.filter((row) => row.source === 'log'),
    (row) => row.shard,
  )
  const settlement: Settlement = { advances: [], setAside: [] }
  for (const cursor of read.cursors) {
    const rows = byShard.get(cursor.shard) ?? []
    const passed = passedRows(rows, handled)
    const last = passed.at(-1)
    const isComplete = !read.isFull && passed.length === rows.length
    if (last === undefined && !(isComplete && cursor.inSpan)) continue
    settlement.advances.push({ cursor, isComplete, position: last?.seq ?? 0 })
    settlement.setAside.push(...passed.flatMap((row) => unpublished.get(row) ?? []))
  }
  return settlement
}

function passedRows(rows: readonly OutboxRow[], handled: ReadonlySet<OutboxRow>): OutboxRow[] {
  const end = rows.findIndex((row) => !handled.has(row))
  return rows.slice(0, end === -1 ? rows.length : end)
}

function unpublishedRows({ failed, waiting }: BatchResult): Map<OutboxRow, SetAside> {
  const rows = new Map<OutboxRow, SetAside>()
  for (const row of waiting) {
    rows.set(row, { eventId: row.eventId, shard: row.shard, error: null, fatal: false })
  }
  for (const { row, error, fatal } of failed) {
    rows.set(row, { eventId: row.eventId, shard: row.shard, error, fatal })
  }
  return rows
}
