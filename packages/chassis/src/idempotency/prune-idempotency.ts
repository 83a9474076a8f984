import { type Database, identifier } from '../db/index.ts'
import { pruneRows } from './sql/prune-rows.ts'

export interface PruneIdempotencyOptions {
  /** Connected as the relay role: the app role may not delete. */
  readonly db: Database
  readonly schema: string
  readonly batchSize?: number
  readonly signal?: AbortSignal
}

const BATCH_SIZE = 1_000

/** Returns how many expired keys were removed. */
export async function pruneIdempotency(options: PruneIdempotencyOptions): Promise<number> {
  const { db, schema, batchSize = BATCH_SIZE, signal } = options
  const statement = pruneRows(identifier(schema, 'idempotency'), batchSize)
  let total = 0
  let pruned = batchSize
  while (pruned === batchSize && !signal?.aborted) {
    const [row] = await db.query(statement)
    pruned = row?.pruned ?? 0
    total += pruned
  }
  return total
}
