import { type Statement, sql } from '@melmastoon/chassis/db'

export interface Redemption {
  readonly tenant: string
  readonly quote: string
  readonly code: string
  readonly max: number
  readonly minutes: number
}

/**
 * No row when all uses are taken. Run after the promotion's lock, in a statement of its own: only
 * then does the count see what the one before committed.
 */
export function insertRedemption(use: Redemption): Statement<{ code: string }> {
  return sql<{ code: string }>`
    insert into sandbox.pricing_quote_redemption (tenant_id, quote_id, code, lapses_at)
    select ${use.tenant}::uuid, ${use.quote}::uuid, ${use.code},
      now() + make_interval(mins => ${use.minutes}::int)
    where (select count(*) from sandbox.pricing_quote_redemption
           where code = ${use.code} and (lapses_at is null or lapses_at > now())) < ${use.max}::int
    returning code`
}
