import type { StayCalendarResponse } from '@melmastoon/upstream-contracts/offers'
import { firstRestriction, fitsInto } from '../engine/check-restrictions.ts'
import { dateOf } from '../engine/day.ts'
import { minorUnitOf } from '../engine/micro.ts'
import { isPublic, type RateCard } from '../engine/rate-card.ts'
import { CheapestOffers } from './cheapest-offers.ts'
import { hotelReason, isClosed } from './find-reason.ts'
import type { HotelStock } from './hotel-stock.ts'
import type { OfferContext } from './list-offers.ts'

type StayDay = StayCalendarResponse['days'][number]

/** For each day of arrival the cheapest bookable stay of the fewest nights allowed. */
export function listStayDays(
  card: RateCard,
  stock: HotelStock,
  { days, ...context }: OfferContext & { readonly days: number },
): StayDay[] {
  const { arrival: from } = context.stay
  return Array.from({ length: days }, (_, day) =>
    stayDay(card, stock, { ...context, stay: { ...context.stay, arrival: from + day } }),
  )
}

function stayDay(card: RateCard, stock: HotelStock, context: OfferContext): StayDay {
  const { stay, time } = context
  const lengths = allowedLengths(card, context)
  const [minNights] = lengths
  const cheapest = isClosed(stay, time)
    ? undefined
    : cheapestOf(card, stock, { ...context, lengths })
  const nights = minNights ?? stay.nights
  return {
    date: dateOf(stay.arrival),
    ...(cheapest
      ? { cheapest }
      : { reason: hotelReason(card, stock, { stay: { ...stay, nights }, time }) }),
    ...(minNights !== undefined && { minNights }),
    roomsLeft: isClosed(stay, time) ? 0 : fittingRooms(card, stock, context),
  }
}

/** The shortest stay of each public plan that takes arrivals on this day, ascending. */
function allowedLengths({ plans }: RateCard, { stay, time }: OfferContext): number[] {
  const lengths = plans
    .filter(isPublic)
    .filter((plan) => {
      const nights = plan.restrictions.minNights
      return firstRestriction(plan, { arrival: stay.arrival, nights, today: time.today }) === null
    })
    .map(({ restrictions }) => restrictions.minNights)
  return [...new Set(lengths)].toSorted((a, b) => a - b)
}

function cheapestOf(
  card: RateCard,
  stock: HotelStock,
  { stay, time, display, lengths }: OfferContext & { readonly lengths: readonly number[] },
): StayDay['cheapest'] {
  const step = minorUnitOf(card.currency)
  const show = (minor: number) => display.show(BigInt(minor) * step)
  for (const nights of lengths) {
    const offers = new CheapestOffers({ ...stay, nights })
    const offer = offers.find(card, stock, time)
    if (offer === null) continue
    return {
      nights,
      cheapestNightly: show(offers.cheapestNightOf(card, offer, time)),
      total: show(offer.totalMinor),
      roomTypeId: offer.room.roomTypeId,
      ratePlanCode: offer.plan.code,
    }
  }
  return undefined
}

/** In the first night, of all types that have enough beds for the guests. */
function fittingRooms({ rooms }: RateCard, stock: HotelStock, { stay }: OfferContext): number {
  return rooms
    .filter((room) => fitsInto(room, stay.quantity, stay.party))
    .reduce((sum, { roomTypeId }) => sum + stock.roomsLeft(roomTypeId, stay.arrival, 1), 0)
}
