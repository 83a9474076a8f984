import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'

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
