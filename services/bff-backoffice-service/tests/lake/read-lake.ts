import { withDuckDb } from '../../src/lake/duckdb.ts'
import type { LakeTable } from '../../src/lake/lake.ts'
import { listFiles } from '../../src/lake/parquet-lake.ts'
import { createView } from '../../src/lake/parquet-sql.ts'

/** What an analyst sees: the table over all published files. */
export async function readLake(
  root: string,
  table: LakeTable,
  query: string,
): Promise<Record<string, unknown>[]> {
  const files = await listFiles(root, table)
  return await withDuckDb(async (db) => {
    await db.run(createView(table, files))
    const result = await db.runAndReadAll(query)
    return result.getRowObjectsJson()
  })
}
