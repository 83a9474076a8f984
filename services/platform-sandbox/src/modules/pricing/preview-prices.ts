import { type PropertyId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { UnbookableReason } from '@melmastoon/upstream-contracts/offers'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { checkStay } from './check-stay.ts'
import { type Display, describeFx, displaysIn, PRICE_VALID_MS } from './display-price.ts'
import type { RateCard } from './engine/rate-card.ts'
import { partyOf } from './engine/stay-request.ts'
import { hotelDay } from './hotel-day.ts'
import { CheapestOffers } from './offers/cheapest-offers.ts'
import { describePrice, describeTerms } from './offers/describe-offer.ts'
import { unavailabilityOf } from './offers/find-reason.ts'
import type { HotelStock, StockSource } from './offers/hotel-stock.ts'
import type { OfferedStay } from './offers/offered-stay.ts'
import type { RateBook } from './rate-book.ts'
import { agedFx, marketBasisPoints } from './scenarios.ts'

type Operation = typeof pricingContract.operations.preview
type Preview = OutputOf<Operation>['previews'][number]

export async function previewPrices(
  { book, stock }: { readonly book: RateBook; readonly stock: StockSource },
  { body }: InputOf<Operation>,
  scenario: string | undefined,
): Promise<OutputOf<Operation>> {
  const { cards, fx, nowMs } = await book.open(body.propertyIds)
  const { occupancy, cancellationFlexibility: flexibility = 'any' } = body
  const stay: OfferedStay = {
    ...checkStay(body, nowMs),
    party: partyOf(occupancy),
    quantity: occupancy.rooms,
    flexibility,
    marketBasisPoints: marketBasisPoints(scenario),
  }
  const offers = new CheapestOffers(stay)
  const displayOf = displaysIn(body.currency, { fx: agedFx(fx, scenario), nowMs })
  const previews = body.propertyIds.map((propertyId) => {
    const listed = stock.findStock(propertyId)
    if (listed === null) return unavailable(propertyId, 'closed')
    const card = scenario === 'no-rate' ? undefined : cards.get(propertyId)
    if (card === undefined) return unavailable(propertyId, 'no_rate')
    const display = displayOf(card.currency)
    return previewOf({ card, stock: listed }, { offers, stay, display, nowMs })
  })
  return {
    previews,
    capturedAt: toIsoDateTime(new Date(nowMs)),
    validUntil: toIsoDateTime(new Date(nowMs + PRICE_VALID_MS)),
  }
}

interface PreviewRequest {
  readonly offers: CheapestOffers
  readonly stay: OfferedStay
  readonly display: Display
  readonly nowMs: number
}

function previewOf(
  { card, stock }: { readonly card: RateCard; readonly stock: HotelStock },
  { offers, stay, display, nowMs }: PreviewRequest,
): Preview {
  const { propertyId } = card
  const time = { today: hotelDay(card.timeZone, nowMs), nowMs }
  const found = offers.find(card, stock, time)
  if (found === null) {
    return { propertyId, status: 'unavailable', ...unavailabilityOf(card, stock, { stay, time }) }
  }
  const parts = { card, stock, plan: found.plan, room: found.room, stay, time }
  const price = describePrice(parts, display)
  return {
    propertyId,
    status: 'priced',
    offer: { ...describeTerms(parts), price },
    cheapestNightly: price.cheapestNightly,
    totalForStay: price.total,
    ratePlanCode: found.plan.code,
    roomTypeId: found.room.roomTypeId,
    currencyDisplayPolicy: display.policy,
    ...describeFx(display),
  }
}

function unavailable(propertyId: PropertyId, reason: UnbookableReason): Preview {
  return { propertyId, status: 'unavailable', reason }
}
