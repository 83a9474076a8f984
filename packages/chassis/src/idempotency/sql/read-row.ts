import { type Statement, sql } from '../../db/index.ts'
import { isRow, type RowScope } from './row-scope.ts'

export interface RowState {
  readonly state: 'in_progress' | 'completed'
  readonly status_code: number | null
}

export function readRow(row: RowScope): Statement<RowState> {
  return sql<RowState>`select i.state, i.status_code from ${row.table} i
    where ${isRow(row)} and (i.expires_at > now() or i.lease_until > now())`
}
