import { type SqlFragment, sql } from '../../db/index.ts'
import { isHeldBy, type RowFence, type RowScope } from './row-scope.ts'

/** Ends the lease at once, so that a retry need not wait; recovery point and attempt stay. */
export function abandonRow(row: RowScope, fence: RowFence): SqlFragment {
  return sql`update ${row.table} i set lease_until = now() where ${isHeldBy(row, fence)}`
}
