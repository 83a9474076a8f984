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
