import { type Statement, sql } from '@melmastoon/chassis/db'

export function keepRedemption(quote: string): Statement<unknown> {
  return sql`
    update sandbox.pricing_quote_redemption set lapses_at = null where quote_id = ${quote}::uuid`
}
