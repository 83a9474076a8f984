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

/** The re-check of a quote with a magic code has shown another price. */
export function markShown(quote: string, shown: string): Statement<unknown> {
  return sql`update sandbox.pricing_quote set scenario = ${shown} where quote_id = ${quote}::uuid`
}

/**
 * A row if such a re-check of the same stay was not followed by a quote yet; the next quote of the
 * stay then has the price that was shown.
 */
export function takeShown(
  request: Pick<Quote, 'propertyId' | 'stay' | 'promoCode'>,
  { shown, initial }: { readonly shown: string; readonly initial: string },
): Statement<unknown> {
  const { propertyId, stay, promoCode } = request
  return sql`update sandbox.pricing_quote set scenario = ${initial} where quote_id = (
      select quote_id from sandbox.pricing_quote
      where property_id = ${idToUuid(propertyId)}::uuid and scenario = ${shown}
        and expires_at > now() and body ->> 'promoCode' = ${promoCode ?? ''}
        and body -> 'stay' = ${JSON.stringify(stay)}::jsonb
      order by created_at desc limit 1 for update skip locked)
    returning 1`
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
