import { withDuckDb } from './duckdb.ts'
import { LAKE_TABLES } from './lake-tables.ts'
import { listFiles } from './parquet-lake.ts'
import { createView, literal } from './parquet-sql.ts'

export interface LakeRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

class LakeQueryError extends Error {
  override readonly name = 'LakeQueryError'
}

/** One SELECT over all tables of the lake. It can read published files and nothing else. */
export async function queryLake(root: string, query: string): Promise<LakeRows> {
  const { StatementType } = await import('@duckdb/node-api')
  return await withDuckDb(async (db) => {
    const readable: string[] = []
    for (const table of LAKE_TABLES) {
      const files = await listFiles(root, table)
      readable.push(...files)
      await db.run(createView(table, files))
    }
    await db.run(`set allowed_paths = [${readable.map(literal).join(', ')}]`)
    await db.run('set enable_external_access = false; set lock_configuration = true')
    const statements = await db.extractStatements(query).catch(asQueryError)
    if (statements.count !== 1) throw new LakeQueryError('expected one statement')
    const prepared = await statements.prepare(0)
    if (prepared.statementType !== StatementType.SELECT) {
      throw new LakeQueryError('the lake can only be read: expected a SELECT')
    }
    const result = await prepared.runAndReadAll()
    return { columns: result.columnNames(), rows: result.getRowsJson() }
  })
}

/** DuckDB reports a text without any statement, such as a comment, as an error of its own code. */
function asQueryError(error: unknown): never {
  const isEmpty = error instanceof Error && error.message.includes('native callback')
  throw isEmpty ? new LakeQueryError('expected one statement: there is none') : error
}
