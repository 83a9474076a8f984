import { type Statement, sql } from '@melmastoon/chassis/db'
import { latestFx, type MaybeFxRow } from './fx-columns.ts'

export type QuoteGroundRow = MaybeFxRow & {
  /** The transaction's, to the millisecond: what a quote shows is what is stored. */
  readonly now: Date
  readonly revision: number
}

/** No row: the tenant has no such hotel. */
export function readQuoteGround(tenant: string, property: string): Statement<QuoteGroundRow> {
  return sql<QuoteGroundRow>`
    select date_trunc('milliseconds', now()) as now, p.revision, f.*
    from sandbox.pricing_property p left join lateral ${latestFx} f on true
    where p.property_id = ${property}::uuid and p.tenant_id = ${tenant}::uuid`
}
