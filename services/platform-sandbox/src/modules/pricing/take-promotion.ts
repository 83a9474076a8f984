import type { Queryable, Tx } from '@melmastoon/chassis/db'
import { idToUuid, problem, type QuoteId, type TenantId } from '@melmastoon/domain'
import type { RateCard } from './engine/rate-card.ts'
import type { Promotion } from './engine/stay-request.ts'
import {
  confirmRedemption,
  findRedemption,
  insertRedemption,
  lockPromotion,
  type PromotionRow,
  readPromotion,
  releaseRedemption,
} from './promotion-sql.ts'

/**
 * How long after its quote a redemption is valid: the longest lifetime of a hold created in the
 * last second of the quote, ten minutes and twelve extensions of ten minutes (D11).
 */
const GRACE_MINUTES = 130
const QUOTE_MINUTES = 30

export interface PromotionRequest {
  readonly tenantId: TenantId
  readonly code: string
  readonly quoteId: QuoteId
  readonly nights: number
  readonly card: RateCard
}

/**
 * A quote uses one redemption of its promotion, so that a guaranteed price cannot be rejected
 * later; without a booking the redemption expires. Quotes with the same code are serialized here.
 */
export async function redeemPromotion(tx: Tx, request: PromotionRequest): Promise<Promotion> {
  const { tenantId, code, quoteId } = request
  const [row] = await tx.query(lockPromotion(code))
  const reason = rejectionOf(row, request)
  if (row === undefined || reason !== null) throw rejected(reason ?? 'unknown')
  const taken = await tx.query(
    insertRedemption({
      tenant: idToUuid(tenantId),
      quote: idToUuid(quoteId),
      code,
      max: row.redemptions_max,
      minutes: QUOTE_MINUTES + GRACE_MINUTES,
    }),
  )
  if (taken.length === 0) throw rejected('cap_exceeded')
  return toPromotion(row)
}

/**
 * For a re-check: the quote already has its redemption; only whether the promotion is still active
 * matters.
 */
export async function currentPromotion(
  db: Queryable,
  request: Pick<PromotionRequest, 'code' | 'nights' | 'card'>,
): Promise<Promotion | undefined> {
  const [row] = await db.query(readPromotion(request.code))
  return row === undefined || rejectionOf(row, request) !== null ? undefined : toPromotion(row)
}

function rejectionOf(
  row: PromotionRow | undefined,
  { nights, card }: Pick<PromotionRequest, 'nights' | 'card'>,
): string | null {
  if (row === undefined) return 'unknown'
  if (row.is_early) return 'not_yet'
  if (row.is_over) return 'expired'
  if (nights < row.min_nights) return 'min_nights'
  if (row.currency !== null && row.currency !== card.currency) return 'not_applicable'
  return null
}

function toPromotion({ code, basis_points, amount_micro }: PromotionRow): Promotion {
  return basis_points === null
    ? { code, discount: { kind: 'fixed', amount: BigInt(amount_micro ?? 0) } }
    : { code, discount: { kind: 'percent', basisPoints: BigInt(basis_points) } }
}

function rejected(code: string) {
  const errors = [{ pointer: '/promoCode', code, detail: 'the promotion does not apply' }]
  return problem('MELMASTOON.PRICING.PROMOTION_REFUSED', { errors })
}

/**
 * Makes the redemption of a quote permanent. After its expiry this succeeds only while a redemption
 * is left; otherwise the price is no longer available.
 */
export async function confirmPromotion(tx: Queryable, quoteId: QuoteId): Promise<void> {
  const quote = idToUuid(quoteId)
  const [use] = await tx.query(findRedemption(quote))
  if (use === undefined) return
  const [promotion] = await tx.query(lockPromotion(use.code))
  const [confirmed] = await tx.query(confirmRedemption(quote, promotion?.redemptions_max ?? 0))
  if (confirmed === undefined) throw problem('MELMASTOON.PRICING.PRICE_CHANGED')
}

/** A redemption that a confirmation has made permanent stays. */
export async function releasePromotion(tx: Queryable, quoteId: QuoteId): Promise<void> {
  await tx.query(releaseRedemption(idToUuid(quoteId)))
}
