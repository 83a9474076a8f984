import { type Statement, sql } from '../../db/index.ts'
import type { StoredPayload } from '../stored-response.ts'
import { isHeldBy, type RowFence, type RowScope } from './row-scope.ts'

export interface CompleteInput {
  readonly row: RowScope
  readonly fence: RowFence
  readonly status: number
  readonly payload: StoredPayload
}

/** No row returned: the key was lost. `remaining_ms` bounds copies of the response elsewhere. */
export function completeRow(input: CompleteInput): Statement<{ remaining_ms: number }> {
  return sql<{ remaining_ms: number }>`update ${input.row.table} i
    set state = 'completed', status_code = ${input.status},
      response = ${JSON.stringify(input.payload)}::jsonb, lease_until = now()
    where ${isHeldBy(input.row, input.fence)}
    returning (extract(epoch from i.expires_at - now()) * 1000)::bigint as remaining_ms`
}
