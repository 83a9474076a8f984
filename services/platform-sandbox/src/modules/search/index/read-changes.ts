import type { Database, Statement } from '@melmastoon/chassis/db'
import type { ChangedRow, ChangeWindow } from '../change-sql.ts'

const BATCH_ROWS = 1_000
const BEFORE_ALL_KEYS = '00000000-0000-0000-0000-000000000000'

/** @param floor null: all rows. */
export async function* readChanges<R extends ChangedRow>(
  db: Database,
  floor: string | null,
  select: (window: ChangeWindow) => Statement<R>,
): AsyncGenerator<R> {
  for await (const rows of readBatches(db, floor, select)) yield* rows
}

/**
 * A whole table at the start, a few rows later. All rows are read by key, which needs no sorting;
 * those that change in the meantime are read again with the next changes.
 */
export async function* readBatches<R extends ChangedRow>(
  db: Database,
  floor: string | null,
  select: (window: ChangeWindow) => Statement<R>,
): AsyncGenerator<readonly R[]> {
  let last = { row_key: BEFORE_ALL_KEYS, updated_seq: 0 }
  for (;;) {
    const after =
      floor === null ? { afterKey: last.row_key } : { floor, afterSeq: last.updated_seq }
    const rows = await db.query(select({ ...after, limit: BATCH_ROWS }))
    yield rows
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1) ?? last
  }
}
