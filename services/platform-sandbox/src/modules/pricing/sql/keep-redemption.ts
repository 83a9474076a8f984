import { type Statement, sql } from '@melmastoon/chassis/db'

export function findRedemption(quote: string): Statement<{ code: string }> {
  return sql<{ code: string }>`
    select code from sandbox.pricing_quote_redemption where quote_id = ${quote}::uuid`
}

/**
 * No row when the use lapsed and others have taken all there are. Run after the promotion's lock,
 * in a statement of its own.
 */
export function keepRedemption(quote: string, max: number): Statement<{ code: string }> {
  return sql<{ code: string }>`
    update sandbox.pricing_quote_redemption r set lapses_at = null
    where r.quote_id = ${quote}::uuid
      and (r.lapses_at is null or r.lapses_at > clock_timestamp()
        or (select count(*) from sandbox.pricing_quote_redemption o
            where o.code = r.code and o.quote_id <> r.quote_id
              and (o.lapses_at is null or o.lapses_at > clock_timestamp())) < ${max}::int)
    returning r.code`
}
