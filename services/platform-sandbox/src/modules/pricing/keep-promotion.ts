import type { Queryable } from '@melmastoon/chassis/db'
import { idToUuid, problem, type QuoteId } from '@melmastoon/domain'
import { findRedemption, keepRedemption } from './sql/keep-redemption.ts'
import { lockPromotion } from './sql/read-promotion.ts'

/**
 * The use of a promotion that a quote took is now for good. Whoever confirms so late that it lapsed
 * gets it only while there is one left: otherwise the price is not to be had any more.
 */
export async function keepPromotion(tx: Queryable, quoteId: QuoteId): Promise<void> {
  const quote = idToUuid(quoteId)
  const [use] = await tx.query(findRedemption(quote))
  if (use === undefined) return
  const [promotion] = await tx.query(lockPromotion(use.code))
  const [kept] = await tx.query(keepRedemption(quote, promotion?.redemptions_max ?? 0))
  if (kept === undefined) throw problem('MELMASTOON.PRICING.PRICE_CHANGED')
}
