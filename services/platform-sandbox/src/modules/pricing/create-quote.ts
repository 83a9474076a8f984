import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, newId, Problem, problem, type TenantId } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { checkNotPast, checkStay } from './check-stay.ts'
import { chooseOffer, noRate } from './choose-offer.ts'
import { displayPrice } from './display-price.ts'
import type { Offer } from './engine/find-offers.ts'
import type { FxRates } from './engine/fx.ts'
import type { RateCard } from './engine/rate-card.ts'
import { partyOf } from './engine/stay-request.ts'
import { hotelDay } from './hotel-day.ts'
import { insertQuote, readQuoteBasis, takeShown } from './quote-sql.ts'
import type { RateBook } from './rate-book.ts'
import { fxFromRow, renderFx } from './read-fx.ts'
import { type QuoteRequest, renderQuote } from './render-quote.ts'
import { agedFx, magicScenario, marketBasisPoints, SHOWN_PRICE } from './scenarios.ts'
import { redeemPromotion } from './take-promotion.ts'

const QUOTE_TTL_MS = 30 * 60_000

export interface QuoteCall {
  readonly tenantId: TenantId
  readonly scenario: string | undefined
}

/** In the tenant's transaction: priced by the committed rates, valid for half an hour. */
export async function createQuote(
  { tx, book }: { readonly tx: Tx; readonly book: RateBook },
  request: QuoteRequest,
  call: QuoteCall,
): Promise<Quote> {
  const ground = await readBasis(tx, book, { request, call })
  const { card, now } = ground
  const { arrival, nights } = checkStay(request, now.getTime())
  const today = hotelDay(card.timeZone, now.getTime())
  checkNotPast(arrival, today)
  if (call.scenario === 'no-rate') throw noRate('/stay', 'scenario')
  const quoteId = newId('qte')
  const scenario = magicScenario(request.promoCode)
  const promotion =
    request.promoCode === undefined || scenario !== null
      ? undefined
      : await redeemPromotion(tx, { code: request.promoCode, quoteId, nights, card, ...call })
  const stayRequest = {
    arrival,
    nights,
    today,
    party: partyOf(request.occupancy),
    marketBasisPoints: marketBasisPoints(
      call.scenario ?? (await shownScenario(tx, request, scenario)),
    ),
    ...(promotion && { promotion }),
  }
  const offer = chooseOffer(card, request, stayRequest)
  if (offer instanceof Problem) throw offer
  const quote = renderQuote({
    quoteId,
    request,
    card,
    offer,
    stayRequest,
    display: displayOf(request, offer, ground),
    createdAt: now,
    expiresAt: new Date(now.getTime() + QUOTE_TTL_MS),
  })
  await tx.query(insertQuote(quote, scenario))
  return quote
}

/** After a re-check has shown a higher price, the next quote of the stay has it. */
async function shownScenario(
  tx: Tx,
  request: QuoteRequest,
  scenario: string | null,
): Promise<string | undefined> {
  if (scenario !== SHOWN_PRICE.initial) return undefined
  const rows = await tx.query(takeShown(request, SHOWN_PRICE))
  return rows.length > 0 ? scenario : undefined
}

interface QuoteBasis {
  readonly card: RateCard
  readonly fx: FxRates | null
  readonly now: Date
}

async function readBasis(
  tx: Tx,
  book: RateBook,
  { request, call }: { readonly request: QuoteRequest; readonly call: QuoteCall },
): Promise<QuoteBasis> {
  const { propertyId } = request
  const statement = readQuoteBasis(idToUuid(call.tenantId), idToUuid(propertyId))
  const [row] = await tx.query(statement)
  if (row === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const card = await book.cardAt(tx, propertyId, row.revision)
  if (card === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return { card, fx: agedFx(fxFromRow(row), call.scenario), now: row.now }
}

/** Fails closed: a price in another currency needs exchange rates that are still valid (D22). */
function displayOf(
  { displayCurrency }: QuoteRequest,
  { bill }: Offer,
  { card, fx, now }: QuoteBasis,
): Pick<Quote, 'displayTotal' | 'fxSnapshot'> {
  const own = card.currency
  if (displayCurrency === undefined || displayCurrency === own) return {}
  const nowMs = now.getTime()
  const display = displayPrice({ own, requested: displayCurrency, fx, nowMs })
  if (display.fx === null || display.policy !== 'user-preferred') {
    const detail = 'the exchange rates are too old for a conversion'
    const errors = [{ pointer: '/displayCurrency', code: 'fx_expired', detail }]
    throw problem('MELMASTOON.PRICING.FX_SNAPSHOT_STALE', { errors })
  }
  return { displayTotal: display.show(bill.total), fxSnapshot: renderFx(display.fx, nowMs) }
}
