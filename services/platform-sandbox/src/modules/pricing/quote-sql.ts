import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { latestFx, type MaybeFxRow } from './fx-sql.ts'

export type QuoteBasisRow = MaybeFxRow & {
  /** The transaction time in milliseconds, so that the quote equals the stored one. */
  readonly now: Date
  readonly revision: number
}

/** No row: the tenant has no such hotel. */
export function readQuoteBasis(tenant: string, property: string): Statement<QuoteBasisRow> {
  return sql<QuoteBasisRow>`
    select date_trunc('milliseconds', now()) as now, p.revision, f.*
    from sandbox.pricing_property p left join lateral ${latestFx} f on true
    where p.property_id = ${property}::uuid and p.tenant_id = ${tenant}::uuid`
}

export interface QuoteRow {
  readonly body: Quote
  readonly scenario: string | null
  readonly is_expired: boolean
  readonly now: Date
  /** The current revision of the hotel's rates; null when the hotel does not exist. */
  readonly revision: number | null
}

/** `clock_timestamp()`, so that a quote can expire during a long transaction. */
export function readQuote(quote: string): Statement<QuoteRow> {
  return sql<QuoteRow>`
    select q.body, q.scenario, q.expires_at <= clock_timestamp() as is_expired,
      clock_timestamp() as now, p.revision
    from sandbox.pricing_quote q left join sandbox.pricing_property p using (property_id)
    where q.quote_id = ${quote}::uuid`
}

export function insertQuote(quote: Quote, scenario: string | null): Statement<unknown> {
  return sql`
    insert into sandbox.pricing_quote
      (tenant_id, quote_id, property_id, digest, total_micro, currency, scenario, body,
       created_at, expires_at)
    values (${idToUuid(quote.tenantId)}::uuid, ${idToUuid(quote.quoteId)}::uuid,
      ${idToUuid(quote.propertyId)}::uuid, ${quote.digest}, ${quote.total.amountMicro}::bigint,
      ${quote.total.currency}, ${scenario}, ${JSON.stringify(quote)}::jsonb,
      ${quote.createdAt}::timestamptz, ${quote.expiresAt}::timestamptz)`
}

export function pruneQuotes(days: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select tenant_id, quote_id from sandbox.pricing_quote
      where expires_at < now() - make_interval(days => ${days}::int) limit ${limit}),
    unused as (
      delete from sandbox.pricing_quote_redemption r using old
      where r.tenant_id = old.tenant_id and r.quote_id = old.quote_id and r.lapses_at is not null),
    gone as (
      delete from sandbox.pricing_quote q using old
      where q.tenant_id = old.tenant_id and q.quote_id = old.quote_id returning 1)
    select count(*)::int as pruned from gone`
}
