import { type CurrencyCode, type PropertyId, toIsoDateTime } from '@melmastoon/domain'
import type { OffersResponse, StayCalendarResponse } from '@melmastoon/upstream-contracts/offers'
import { describeFx, displayPrice, PRICE_VALID_MS } from '../display-price.ts'
import { hotelDay } from '../hotel-day.ts'
import type { RateBook } from '../rate-book.ts'
import { agedFx, marketBasisPoints } from '../scenarios.ts'
import type { HotelStock } from './hotel-stock.ts'
import { listOffers, type OfferContext } from './list-offers.ts'
import { listStayDays, type StayDaysContext } from './list-stay-days.ts'
import type { OfferedStay } from './offered-stay.ts'

/** One hotel, as the caller has found it. */
export interface OfferRequest {
  readonly propertyId: PropertyId
  readonly stock: HotelStock
  readonly stay: OfferedStay
  readonly currency: CurrencyCode
  readonly scenario: string | undefined
}

type Priced = Pick<
  OffersResponse,
  'currencyDisplayPolicy' | 'fxSnapshotId' | 'fxStale' | 'capturedAt' | 'validUntil'
>

export type OfferedRooms = Pick<OffersResponse, 'rooms'> & Priced
export type OfferedDays = Pick<StayCalendarResponse, 'days'> & Priced

export async function readOffers(book: RateBook, request: OfferRequest): Promise<OfferedRooms> {
  const { card, context, priced } = await openHotel(book, request)
  return { rooms: card ? listOffers(card, request.stock, context) : [], ...priced }
}

export type StayDaysRequest = OfferRequest & Pick<StayDaysContext, 'days' | 'nightsMax'>

/** From the day of arrival of the requested stay on. */
export async function readStayDays(
  book: RateBook,
  { days, nightsMax, ...request }: StayDaysRequest,
): Promise<OfferedDays> {
  const { card, context, priced } = await openHotel(book, request)
  const listed = { ...context, days, nightsMax }
  return { days: card ? listStayDays(card, request.stock, listed) : [], ...priced }
}

async function openHotel(
  book: RateBook,
  { propertyId, stock, stay, currency, scenario }: OfferRequest,
) {
  const { cards, fx, nowMs } = await book.open([propertyId])
  const card = scenario === 'no-rate' ? undefined : cards.get(propertyId)
  const own = card?.currency ?? currency
  const display = displayPrice({ own, requested: currency, fx: agedFx(fx, scenario), nowMs })
  const time = { today: hotelDay(stock.timeZone, nowMs), nowMs }
  const market = marketBasisPoints(scenario)
  const context: OfferContext = { stay: { ...stay, marketBasisPoints: market }, time, display }
  const priced: Priced = {
    currencyDisplayPolicy: display.policy,
    ...describeFx(display),
    capturedAt: toIsoDateTime(new Date(nowMs)),
    validUntil: toIsoDateTime(new Date(nowMs + PRICE_VALID_MS)),
  }
  return { card, context, priced }
}
