import { problem, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { checkNotPast, checkStay } from './check-stay.ts'
import { displayPrice } from './display-price.ts'
import { allOffers, findOffers, roomTypeOf } from './engine/find-offers.ts'
import { quoteDigest } from './engine/quote-digest.ts'
import { partyOf } from './engine/stay-request.ts'
import { hotelDay } from './hotel-day.ts'
import type { RateBook } from './rate-book.ts'
import { agedFx, marketBasisPoints } from './scenarios.ts'

type Operation = typeof pricingContract.operations.cheapestRates

/** Room types that are too small for the guests are omitted. */
export async function findCheapestRates(
  book: RateBook,
  { body }: InputOf<Operation>,
  call: { readonly tenantId: TenantId; readonly scenario: string | undefined },
): Promise<OutputOf<Operation>> {
  const { cards, nowMs, fx } = await book.open([body.propertyId])
  const card = cards.get(body.propertyId)
  if (card?.tenantId !== call.tenantId) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const { arrival, nights } = checkStay(body, nowMs)
  const today = hotelDay(card.timeZone, nowMs)
  checkNotPast(arrival, today)
  const aged = agedFx(fx, call.scenario)
  const display = displayPrice({ own: card.currency, requested: body.currency, fx: aged, nowMs })
  const market = marketBasisPoints(call.scenario)
  const party = partyOf(body.occupancy)
  const stayRequest = { arrival, nights, party, today, marketBasisPoints: market }
  const find = body.plans === 'all' ? allOffers : findOffers
  const offers = call.scenario === 'no-rate' ? [] : find(card, body.occupancy.rooms, stayRequest)
  return {
    rates: offers.map((offer) => ({
      roomTypeId: roomTypeOf(offer),
      ratePlanId: offer.plan.ratePlanId,
      ratePlanCode: offer.plan.code,
      ratePlanName: offer.plan.name,
      category: offer.plan.category,
      board: offer.plan.board,
      cancellation: offer.plan.cancellation,
      digest: quoteDigest(card, offer, stayRequest),
      nightly: display.show(offer.bill.cheapestNight),
      total: display.show(offer.bill.total),
    })),
    ...(display.fx !== null && { fxSnapshotId: display.fx.fxSnapshotId }),
    capturedAt: toIsoDateTime(new Date(nowMs)),
  }
}
