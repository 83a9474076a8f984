import { type Statement, sql } from '@melmastoon/chassis/db'

export function readCount(): Statement<{ placed: number }> {
  return sql<{ placed: number }>`select placed from note_counts`
}
