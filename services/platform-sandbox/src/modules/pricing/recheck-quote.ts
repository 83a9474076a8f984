import type { Database } from '@melmastoon/chassis/db'
import {
  idToUuid,
  nightsBetween,
  Problem,
  type QuoteId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract, Quote } from '@melmastoon/upstream-contracts/pricing'
import { chooseOffer } from './choose-offer.ts'
import { microMoney } from './display-price.ts'
import { dayOf } from './engine/day.ts'
import { quoteDigest } from './engine/quote-digest.ts'
import type { RateCard } from './engine/rate-card.ts'
import { partyOf, type StayRequest } from './engine/stay-request.ts'
import { hotelDay } from './hotel-day.ts'
import { markShown } from './quote-sql.ts'
import type { RateBook } from './rate-book.ts'
import { findQuote } from './read-quotes.ts'
import { magicScenario, marketBasisPoints, SHOWN_PRICE, storedScenario } from './scenarios.ts'
import { currentPromotion } from './take-promotion.ts'

export type Recheck = OutputOf<typeof pricingContract.operations.recheckQuote>

export interface RecheckRequest {
  readonly tenantId: TenantId
  readonly quoteId: QuoteId
  readonly scenario: string | undefined
}

/** Prices the same plan, rooms and guests again, with the current rates. */
export async function recheckQuote(
  { db, book }: { readonly db: Database; readonly book: RateBook },
  { tenantId, quoteId, scenario }: RecheckRequest,
): Promise<Recheck> {
  const scoped = db.scoped(tenantId)
  const row = await findQuote(scoped, quoteId)
  const quote = row.body
  const checkedAt = toIsoDateTime(row.now)
  const gone: Recheck = { outcome: 'gone', quoted: quote.total, checkedAt }
  const played = scenario ?? storedScenario(row.scenario)
  const card = await book.cardAt(scoped, quote.propertyId, row.revision ?? 0)
  if (card === undefined || played === 'no-rate') return gone
  const promotion =
    quote.promoCode === undefined || magicScenario(quote.promoCode) !== null
      ? undefined
      : await currentPromotion(scoped, {
          code: quote.promoCode,
          nights: nightsBetween(quote.stay),
          card,
        })
  const stayRequest = {
    ...priceAgain(quote, card, row.now),
    marketBasisPoints: marketBasisPoints(played),
    ...(promotion && { promotion }),
  }
  const offer = chooseOffer(card, quote, stayRequest)
  if (offer instanceof Problem || stayRequest.arrival < stayRequest.today) return gone
  const currentDigest = quoteDigest(card, offer, stayRequest)
  const isChanged = currentDigest !== quote.digest
  if (isChanged && row.scenario === SHOWN_PRICE.initial) {
    await scoped.query(markShown(idToUuid(quoteId), SHOWN_PRICE.shown))
  }
  return {
    outcome: isChanged ? 'changed' : 'matched',
    quoted: quote.total,
    current: microMoney(offer.bill.total, card.currency),
    currentDigest,
    checkedAt,
  }
}

function priceAgain(quote: Quote, card: RateCard, now: Date): StayRequest {
  return {
    arrival: dayOf(quote.stay.checkIn),
    nights: nightsBetween(quote.stay),
    party: partyOf(quote.occupancy),
    today: hotelDay(card.timeZone, now.getTime()),
  }
}
