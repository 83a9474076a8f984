import type { Queryable } from '@melmastoon/chassis/db'
import { keepPartitions } from './activity-sql.ts'

/** A keeper that fails for a week leaves the ledger without a partition. */
const DAYS_AHEAD = 7

/** Makes the missing partitions of the ledger; any number of processes may do it at once. */
export async function keepActivityPartitions(db: Queryable): Promise<{ made: number }> {
  const [row] = await db.query(keepPartitions(DAYS_AHEAD))
  return { made: row?.made ?? 0 }
}
