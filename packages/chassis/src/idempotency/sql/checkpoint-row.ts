import { type SqlFragment, sql } from '../../db/index.ts'
import { isHeldBy, milliseconds, type RowFence, type RowScope } from './row-scope.ts'

export interface CheckpointInput {
  readonly row: RowScope
  readonly fence: RowFence
  readonly point: string
  readonly data: Readonly<Record<string, unknown>>
  readonly leaseMs: number
}

/** Renews the lease too: the work is known to be alive. No row returned: the key was lost. */
export function checkpointRow(input: CheckpointInput): SqlFragment {
  return sql`update ${input.row.table} i
    set recovery_point = ${input.point}, recovery_data = ${JSON.stringify(input.data)}::jsonb,
      lease_until = clock_timestamp() + ${milliseconds(input.leaseMs)}
    where ${isHeldBy(input.row, input.fence)}
    returning i.attempt`
}
