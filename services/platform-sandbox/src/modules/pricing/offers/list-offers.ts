import type { OffersResponse, StayOffer } from '@melmastoon/upstream-contracts/offers'
import type { Display } from '../display-price.ts'
import { isPublic, type Plan, type RateCard, type Room } from '../engine/rate-card.ts'
import { describeItemizedPrice, describeTerms } from './describe-offer.ts'
import { offerReason } from './find-reason.ts'
import type { HotelStock } from './hotel-stock.ts'
import type { HotelTime, OfferedStay } from './offered-stay.ts'

export interface OfferContext {
  readonly stay: OfferedStay
  readonly time: HotelTime
  readonly display: Display
}

type OfferedRoom = OffersResponse['rooms'][number]

/** All room types with all public plans; those that cannot be booked have a reason. */
export function listOffers(
  card: RateCard,
  stock: HotelStock,
  context: OfferContext,
): OfferedRoom[] {
  const { arrival, nights } = context.stay
  const plans = card.plans.filter(isPublic)
  return stock.roomTypes.map(({ roomTypeId }) => {
    const room = card.rooms.find((each) => each.roomTypeId === roomTypeId)
    const offers = room ? plans.map((plan) => offerOf({ card, stock, plan, room }, context)) : []
    return {
      roomTypeId,
      roomsLeft: stock.roomsLeft(roomTypeId, arrival, nights),
      offers: offers.toSorted((a, b) => compareTotals(a, b)),
    }
  })
}

interface PlannedRoom {
  readonly card: RateCard
  readonly stock: HotelStock
  readonly plan: Plan
  readonly room: Room
}

function offerOf(planned: PlannedRoom, { stay, time, display }: OfferContext): StayOffer {
  const parts = { ...planned, stay, time }
  const { minNights, maxNights, advanceDaysMin } = planned.plan.restrictions
  const reason = offerReason(planned, planned.stock, { stay, time })
  const terms = { ...describeTerms(parts), minNights, maxNights, advanceDaysMin }
  if (reason !== null) return { ...terms, reason }
  return { ...terms, price: describeItemizedPrice(parts, display) }
}

/** Offers without a price are last. */
function compareTotals(a: StayOffer, b: StayOffer): number {
  if (a.price === undefined || b.price === undefined) {
    return Number(a.price === undefined) - Number(b.price === undefined)
  }
  const difference = BigInt(a.price.total.amountMicro) - BigInt(b.price.total.amountMicro)
  return difference < 0n ? -1 : Number(difference > 0n)
}
