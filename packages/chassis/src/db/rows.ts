import type { Statement } from './statement.ts'

/** The row type is the statement's own claim about its columns; nothing checks it here. */
export function rowsOf<R>(_statement: Statement<R>, rows: Record<string, unknown>[]): R[] {
  return rows as R[]
}
