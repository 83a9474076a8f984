import type { Database, Statement } from '@melmastoon/chassis/db'
import type { ChangeWindow } from '../change-sql.ts'

const BATCH_ROWS = 1_000

export interface Numbered {
  updated_seq: number
}

export async function* readChanges<R extends Numbered>(
  db: Database,
  floor: string,
  select: (window: ChangeWindow) => Statement<R>,
): AsyncGenerator<R> {
  for await (const rows of readBatches(db, floor, select)) yield* rows
}

/** A whole table at the start, a few rows later. */
export async function* readBatches<R extends Numbered>(
  db: Database,
  floor: string,
  select: (window: ChangeWindow) => Statement<R>,
): AsyncGenerator<readonly R[]> {
  let afterSeq = 0
  for (;;) {
    const rows = await db.query(select({ floor, afterSeq, limit: BATCH_ROWS }))
    yield rows
    if (rows.length < BATCH_ROWS) return
    afterSeq = rows.at(-1)?.updated_seq ?? afterSeq
  }
}
