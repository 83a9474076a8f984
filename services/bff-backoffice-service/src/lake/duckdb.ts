import type { DuckDBConnection } from '@duckdb/node-api'

export type { DuckDBConnection }

/**
 * A day is streamed: this much memory is enough for any number of rows. A second thread makes the
 * conversion slower, because lines are read in their order.
 */
const SETTINGS = { threads: '1', memory_limit: '128MB' } as const

/** A database in memory for one piece of work: nothing is cached from another one. */
export async function withDuckDb<T>(work: (db: DuckDBConnection) => Promise<T>): Promise<T> {
  // Loaded on first use: processes that export nothing do not need the library.
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', SETTINGS)
  try {
    const connection = await instance.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  } finally {
    instance.closeSync()
  }
}
