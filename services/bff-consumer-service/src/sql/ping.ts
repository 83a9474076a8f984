import { type Statement, sql } from '@melmastoon/chassis/db'

export function ping(): Statement<unknown> {
  return sql`select 1`
}
