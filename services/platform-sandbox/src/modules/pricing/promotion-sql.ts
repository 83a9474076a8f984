import { type Statement, sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'

export interface PromotionRow {
  readonly code: string
  readonly basis_points: number | null
  readonly amount_micro: string | null
  readonly currency: CurrencyCode | null
  readonly min_nights: number
  readonly redemptions_max: number
  readonly is_early: boolean
  readonly is_over: boolean
}

const columns = sql`
  code, basis_points, amount_micro::text, currency, min_nights, redemptions_max,
  starts_at > now() as is_early, ends_at <= now() as is_over`

export function readPromotion(code: string): Statement<PromotionRow> {
  return sql<PromotionRow>`
    select ${columns} from sandbox.pricing_promotion where code = ${code}`
}

export function lockPromotion(code: string): Statement<PromotionRow> {
  return sql<PromotionRow>`
    select ${columns} from sandbox.pricing_promotion where code = ${code} for update`
}

export interface Redemption {
  readonly tenant: string
  readonly quote: string
  readonly code: string
  readonly max: number
  readonly minutes: number
}

/**
 * No row when all redemptions are used. Run after the lock of the promotion, as a separate
 * statement: only then does the count see what the previous transaction committed.
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

export function findRedemption(quote: string): Statement<{ code: string }> {
  return sql<{ code: string }>`
    select code from sandbox.pricing_quote_redemption where quote_id = ${quote}::uuid`
}

/**
 * No row when the redemption expired and all others are used. Run after the lock of the promotion,
 * as a separate statement.
 */
export function confirmRedemption(quote: string, max: number): Statement<{ code: string }> {
  return sql<{ code: string }>`
    update sandbox.pricing_quote_redemption r set lapses_at = null
    where r.quote_id = ${quote}::uuid
      and (r.lapses_at is null or r.lapses_at > clock_timestamp()
        or (select count(*) from sandbox.pricing_quote_redemption o
            where o.code = r.code and o.quote_id <> r.quote_id
              and (o.lapses_at is null or o.lapses_at > clock_timestamp())) < ${max}::int)
    returning r.code`
}

/** Expires now; the row stays, so that a later use of the quote is counted. */
export function releaseRedemption(quote: string): Statement<unknown> {
  return sql`
    update sandbox.pricing_quote_redemption
    set lapses_at = least(lapses_at, clock_timestamp())
    where quote_id = ${quote}::uuid and lapses_at is not null`
}
