import type { Database, Tx } from '@melmastoon/chassis/db'
import { fromRow } from './intent.ts'
import { lockOverdueIntents } from './intent-sql.ts'
import { type Moving, moveAllTaken } from './move-intent.ts'

const BATCH_ROWS = 100

export interface Expiry {
  readonly moving: Moving
  readonly signal: AbortSignal
}

/** Expires payments that were not paid in time, in batches; several runners share the work. */
export async function expireIntents(db: Database, { moving, signal }: Expiry): Promise<number> {
  for (let expired = 0; ; ) {
    signal.throwIfAborted()
    const batch = await db.transaction((tx) => expireBatch(tx, moving))
    expired += batch
    if (batch < BATCH_ROWS) return expired
  }
}

async function expireBatch(tx: Tx, moving: Moving): Promise<number> {
  const overdue = await tx.query(lockOverdueIntents(BATCH_ROWS))
  if (overdue.length === 0) return 0
  const change = { move: 'expire', reasonCode: 'expired' } as const
  await moveAllTaken(tx, overdue.map(fromRow), { change, moving })
  return overdue.length
}
