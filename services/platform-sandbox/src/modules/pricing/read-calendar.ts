import { addDays, isIsoDate, problem, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { checkFirstDay } from './check-stay.ts'
import { displayPrice } from './display-price.ts'
import { checkRestrictions } from './engine/check-restrictions.ts'
import { dayOf } from './engine/day.ts'
import type { Micro } from './engine/micro.ts'
import { priceNight } from './engine/price-stay.ts'
import { isPublic, type RateCard } from './engine/rate-card.ts'
import type { StayRequest } from './engine/stay-request.ts'
import { hotelDay } from './hotel-day.ts'
import type { HotelStock, StockSource } from './offers/hotel-stock.ts'
import type { RateBook } from './rate-book.ts'
import { agedFx, marketBasisPoints } from './scenarios.ts'

type Operation = typeof pricingContract.operations.calendar

const ONE_ADULT = { adults: 1, childAges: [] }

/** Nights without a room of any type have no price. */
export async function readCalendar(
  { book, stock }: { readonly book: RateBook; readonly stock: StockSource },
  { params, query }: InputOf<Operation>,
  scenario: string | undefined,
): Promise<OutputOf<Operation>> {
  const { from, nights, currency } = query
  if (!isIsoDate(from)) throw badDate()
  const { propertyId } = params
  const { cards, nowMs, fx } = await book.open([propertyId])
  const card = cards.get(propertyId)
  if (card === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const rooms = stock.findStock(propertyId)
  const aged = agedFx(fx, scenario)
  const display = displayPrice({ own: card.currency, requested: currency, fx: aged, nowMs })
  const today = hotelDay(card.timeZone, nowMs)
  checkFirstDay(dayOf(from), today)
  const days = Array.from({ length: nights }, (_, offset) => {
    const arrival = dayOf(from) + offset
    const market = marketBasisPoints(scenario)
    const stayRequest = { arrival, nights: 1, party: ONE_ADULT, today, marketBasisPoints: market }
    const cheapest = scenario === 'no-rate' ? null : cheapestNight(card, rooms, stayRequest)
    return { date: addDays(from, offset), ...(cheapest && { cheapest: display.show(cheapest) }) }
  })
  return {
    propertyId,
    days,
    ...(display.fx !== null && { fxSnapshotId: display.fx.fxSnapshotId }),
    capturedAt: toIsoDateTime(new Date(nowMs)),
  }
}

function cheapestNight(
  card: RateCard,
  stock: HotelStock | null,
  stayRequest: StayRequest,
): Micro | null {
  const { arrival, today } = stayRequest
  if (stock === null || arrival < today) return null
  let cheapest: Micro | null = null
  for (const plan of card.plans) {
    if (!isPublic(plan) || checkRestrictions(plan, stayRequest).length > 0) continue
    for (const roomTypeId of plan.nightly.keys()) {
      if (stock.roomsLeft(roomTypeId, arrival, 1) === 0) continue
      const price = priceNight(card, { plan, roomTypeId }, stayRequest)
      if (cheapest === null || price < cheapest) cheapest = price
    }
  }
  return cheapest
}

function badDate() {
  const errors = [{ pointer: '/query/from', code: 'date', detail: 'not a calendar date' }]
  return problem('MELMASTOON.PRICING.STAY_INVALID', { errors })
}
