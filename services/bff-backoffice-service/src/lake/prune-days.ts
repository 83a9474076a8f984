import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { scanIn } from './day-file.ts'
import type { ExportDeps } from './export-day.ts'
import { isEqual, type LakeColumn, type LakeColumnType, type LakeDay } from './lake.ts'
import { type ExportRow, markPruned, reopenDay } from './lake-export-sql.ts'
import {
  allowLongStatements,
  attachPartition,
  deleteDay,
  detachPartition,
  dropDetached,
  readOneSnapshot,
} from './source-sql.ts'

/**
 * `damaged`: the lake does not have the rows as they were verified; `changed`: Postgres has other
 * rows, and the day is exported again. Neither deletes anything.
 */
export type PruneResult = 'pruned' | 'damaged' | 'changed'

/** Deletes a day from Postgres after all its rows were read from the lake once more. */
export async function pruneDay(
  deps: ExportDeps,
  day: LakeDay,
  verified: ExportRow,
): Promise<PruneResult> {
  const columns = columnsOf(verified)
  const inLake = verified.rows === 0 ? verified : await deps.lake.reread(day, columns)
  if (!isEqual(verified, inLake)) return 'damaged'
  const isGone =
    day.table.timeColumn === null
      ? await dropPartition(deps, day)
      : await deleteRows(deps, { ...day, table: { ...day.table, columns } }, verified)
  if (isGone) await deps.db.query(markPruned(day))
  else await deps.db.query(reopenDay(day))
  return isGone ? 'pruned' : 'changed'
}

/** Once detached it takes no rows: what is counted then is what is dropped. */
async function dropPartition({ db }: ExportDeps, { day }: LakeDay): Promise<boolean> {
  const [detached] = await db.query(detachPartition(day))
  crashPoint('lake.after_detach')
  // A run that died after the drop has left nothing to do.
  if (detached?.exists !== true) return true
  const [result] = await db.query(dropDetached(day))
  crashPoint('lake.after_drop')
  if (result?.dropped === true) return true
  await db.query(attachPartition(day))
  return false
}

/** In one snapshot: a row that arrives meanwhile is neither compared nor deleted. */
async function deleteRows({ db }: ExportDeps, day: LakeDay, verified: ExportRow): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.query(readOneSnapshot())
    await tx.query(allowLongStatements())
    if (!isEqual(verified, await scanIn(tx, day, {}))) return false
    await tx.query(deleteDay(day))
    return true
  })
}

function columnsOf({ columns }: ExportRow): LakeColumn[] {
  return columns.map((text) => {
    const [name = '', type = 'text'] = text.split(':')
    return { name, type: type as LakeColumnType }
  })
}
