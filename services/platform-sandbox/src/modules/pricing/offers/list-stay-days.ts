import type { StayCalendarResponse } from '@melmastoon/upstream-contracts/offers'
import { firstRestriction, fitsInto } from '../engine/check-restrictions.ts'
import { dateOf } from '../engine/day.ts'
import { minorUnitOf } from '../engine/micro.ts'
import { isPublic, type Plan, type RateCard } from '../engine/rate-card.ts'
import { CheapestOffers } from './cheapest-offers.ts'
import { hotelReason, isClosed } from './find-reason.ts'
import type { HotelStock } from './hotel-stock.ts'
import type { OfferContext } from './list-offers.ts'

type StayDay = StayCalendarResponse['days'][number]

export interface StayDaysContext extends OfferContext {
  readonly days: number
  /** Longer stays are not considered. */
  readonly nightsMax: number
}

/** For each day of arrival the cheapest of the shortest stays that can be booked. */
export function listStayDays(
  card: RateCard,
  stock: HotelStock,
  { days, ...context }: StayDaysContext,
): StayDay[] {
  const { arrival: from } = context.stay
  return Array.from({ length: days }, (_, day) =>
    stayDay(card, stock, { ...context, stay: { ...context.stay, arrival: from + day } }),
  )
}

type DayContext = Omit<StayDaysContext, 'days'>

function stayDay(card: RateCard, stock: HotelStock, context: DayContext): StayDay {
  const { stay, time } = context
  const lengths = allowedLengths(card, context)
  const cheapest = isClosed(stay, time)
    ? undefined
    : cheapestOf(card, stock, { ...context, lengths })
  const minNights = cheapest?.nights ?? lengths[0]
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

/**
 * The shortest stay that each public plan allows from this day on, ascending. Longer stays have no
 * more rooms, so a plan that cannot be booked for its shortest stay cannot be booked at all.
 */
function allowedLengths({ plans }: RateCard, context: DayContext): number[] {
  const lengths = plans.filter(isPublic).flatMap((plan) => shortestStay(plan, context) ?? [])
  return [...new Set(lengths)].toSorted((a, b) => a - b)
}

/** Days without departures lengthen a stay; no other restriction is removed by more nights. */
function shortestStay(plan: Plan, { stay, time, nightsMax }: DayContext): number | null {
  const { arrival } = stay
  for (let nights = plan.restrictions.minNights; nights <= nightsMax; nights += 1) {
    const broken = firstRestriction(plan, { arrival, nights, today: time.today })
    if (broken === null) return nights
    if (broken !== 'closed_to_departure') return null
  }
  return null
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
