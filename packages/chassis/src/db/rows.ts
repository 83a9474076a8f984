import type { Statement } from './statement.ts'

/** Without `parse` the row type is the statement's own claim about its columns. */
export function shapeRows<R>(statement: Statement<R>, rows: Record<string, unknown>[]): R[] {
  if (statement.parse === undefined) return rows as R[]
  return rows.map((row) => statement.parse?.(row) as R)
}
