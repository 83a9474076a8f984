import { type Statement, sql } from '@melmastoon/chassis/db'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'

export interface QuoteRow {
  readonly body: Quote
  readonly scenario: string | null
  readonly is_expired: boolean
  readonly now: Date
  /** Of the hotel's rates now; null when it is gone. */
  readonly revision: number | null
}

/** `clock_timestamp()`: a quote that ends during a long transaction has ended. */
export function readQuote(quote: string): Statement<QuoteRow> {
  return sql<QuoteRow>`
    select q.body, q.scenario, q.expires_at <= clock_timestamp() as is_expired,
      clock_timestamp() as now, p.revision
    from sandbox.pricing_quote q left join sandbox.pricing_property p using (property_id)
    where q.quote_id = ${quote}::uuid`
}
