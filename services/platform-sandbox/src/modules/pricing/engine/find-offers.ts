import type { RoomTypeId } from '@melmastoon/domain'
import type { Bill } from './bill.ts'
import { acceptsAges, checkRestrictions, fits } from './check-restrictions.ts'
import { priceStay } from './price-stay.ts'
import { isPublic, type Plan, type RateCard } from './rate-card.ts'
import type { RoomCount, StayRequest } from './stay-request.ts'

export interface Offer {
  readonly plan: Plan
  readonly rooms: readonly RoomCount[]
  readonly bill: Bill
}

/**
 * The cheapest public offer per room type, for this number of rooms; rooms that are too small are
 * omitted.
 */
export function findOffers(card: RateCard, quantity: number, stayRequest: StayRequest): Offer[] {
  const plans = allowedPlans(card, stayRequest)
  const offers: Offer[] = []
  for (const room of card.rooms) {
    const rooms = [{ room, quantity }]
    if (!fits(rooms, stayRequest)) continue
    const offer = cheapestPlan(card, { plans, rooms }, stayRequest)
    if (offer !== null) offers.push(offer)
  }
  return offers
}

/** Every public offer, by room type and the cheapest of each first. */
export function allOffers(card: RateCard, quantity: number, stayRequest: StayRequest): Offer[] {
  const plans = allowedPlans(card, stayRequest)
  return card.rooms.flatMap((room) => {
    const rooms = [{ room, quantity }]
    if (!fits(rooms, stayRequest)) return []
    return plans
      .filter((plan) => hasPrices(plan, rooms))
      .map((plan) => ({ plan, rooms, bill: priceStay(card, { plan, rooms }, stayRequest) }))
      .toSorted((a, b) => (a.bill.total < b.bill.total ? -1 : 1))
  })
}

function allowedPlans(card: RateCard, stayRequest: StayRequest): readonly Plan[] {
  if (!acceptsAges(card, stayRequest.party)) return []
  return card.plans.filter(
    (plan) => isPublic(plan) && checkRestrictions(plan, stayRequest).length === 0,
  )
}

/** Of plans that allow the stay; null when none has a price for all rooms. */
export function cheapestPlan(
  card: RateCard,
  { plans, rooms }: { readonly plans: readonly Plan[]; readonly rooms: readonly RoomCount[] },
  stayRequest: StayRequest,
): Offer | null {
  let best: Offer | null = null
  for (const plan of plans) {
    if (!hasPrices(plan, rooms)) continue
    best = cheaperOf(best, { plan, rooms, bill: priceStay(card, { plan, rooms }, stayRequest) })
  }
  return best
}

export function hasPrices(plan: Plan, rooms: readonly RoomCount[]): boolean {
  return rooms.every(({ room }) => plan.nightly.has(room.roomTypeId))
}

/** Plans and rooms are sorted, so that among equal totals the choice is deterministic. */
function cheaperOf(best: Offer | null, next: Offer): Offer {
  return best === null || next.bill.total < best.bill.total ? next : best
}

export function roomTypeOf({ rooms }: Offer): RoomTypeId {
  const [first] = rooms
  if (first === undefined) throw new TypeError('an offer without rooms')
  return first.room.roomTypeId
}
