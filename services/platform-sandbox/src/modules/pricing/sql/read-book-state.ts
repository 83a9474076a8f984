import { type Statement, sql } from '@melmastoon/chassis/db'
import { latestFx, type MaybeFxRow } from './fx-columns.ts'

export type BookStateRow = MaybeFxRow & {
  readonly now: Date
  readonly revision: number
  /** Hotels whose rates changed after `since`, at most one more than `limit`. */
  readonly changed: readonly string[]
}

export function readBookState(since: number, limit: number): Statement<BookStateRow> {
  return sql<BookStateRow>`
    select clock_timestamp() as now, r.revision, f.*,
      array(select property_id::text from sandbox.pricing_property
            where revision > ${since} order by revision limit ${limit + 1}) as changed
    from sandbox.pricing_revision r left join lateral ${latestFx} f on true`
}
