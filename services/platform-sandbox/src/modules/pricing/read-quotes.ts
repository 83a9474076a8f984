import type { Database, Queryable } from '@melmastoon/chassis/db'
import { idToUuid, problem, type QuoteId, type TenantId } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { type QuoteRow, readQuote } from './quote-sql.ts'

/** As created, also after its expiry. */
export async function getQuote(db: Database, tenantId: TenantId, quoteId: QuoteId): Promise<Quote> {
  return (await findQuote(db.scoped(tenantId), quoteId)).body
}

/** A quote that can be booked now: throws `QUOTE_NOT_FOUND` or `QUOTE_EXPIRED`. */
export async function quoteById(tx: Queryable, quoteId: QuoteId): Promise<Quote> {
  const row = await findQuote(tx, quoteId)
  if (row.is_expired) throw problem('MELMASTOON.PRICING.QUOTE_EXPIRED')
  return row.body
}

export async function findQuote(db: Queryable, quoteId: QuoteId): Promise<QuoteRow> {
  const [row] = await db.query(readQuote(idToUuid(quoteId)))
  if (row === undefined) throw problem('MELMASTOON.PRICING.QUOTE_NOT_FOUND')
  return row
}
