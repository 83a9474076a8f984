import { sql } from './sql.ts'
import type { Statement } from './statement.ts'

/** Answers when the database does: for readiness. */
export function ping(): Statement<unknown> {
  return sql`select 1`
}
