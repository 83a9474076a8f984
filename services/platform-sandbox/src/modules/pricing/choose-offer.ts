import { type FieldError, type Problem, problem, type RoomTypeId } from '@melmastoon/domain'
import { acceptsAges, checkRestrictions, fits } from './engine/check-restrictions.ts'
import { cheapestPlan, hasPrices, type Offer } from './engine/find-offers.ts'
import { isPublic, type RateCard } from './engine/rate-card.ts'
import { type RoomCount, roomCounts, type StayRequest } from './engine/stay-request.ts'

export interface OfferRequest {
  readonly rooms: readonly { readonly roomTypeId: RoomTypeId; readonly quantity: number }[]
  readonly ratePlanCode?: string
}

/** The plan and price for exactly these rooms, or the reason why there is none. */
export function chooseOffer(
  card: RateCard,
  request: OfferRequest,
  stayRequest: StayRequest,
): Offer | Problem {
  const rooms = roomCounts(card, request.rooms)
  if (rooms === null) return noRate('/rooms', 'unknown_room_type')
  if (!acceptsAges(card, stayRequest.party)) return restricted([ageError(card)])
  if (!fits(rooms, stayRequest)) return restricted([capacityError()])
  const { ratePlanCode: code } = request
  const plans = card.plans.filter((plan) =>
    code === undefined ? isPublic(plan) : plan.code === code,
  )
  const priced = plans.filter((plan) => hasPrices(plan, rooms))
  if (priced.length === 0)
    return noRate('/ratePlanCode', plans.length === 0 ? 'unknown' : 'no_price')
  return cheapestAdmitted(card, { plans: priced, rooms }, stayRequest)
}

/** When no plan allows the stay, the plan with the fewest violations gives the reason. */
function cheapestAdmitted(
  card: RateCard,
  { plans, rooms }: { readonly plans: RateCard['plans']; readonly rooms: readonly RoomCount[] },
  stayRequest: StayRequest,
): Offer | Problem {
  const checked = plans.map((plan) => ({ plan, broken: checkRestrictions(plan, stayRequest) }))
  const admitted = checked.filter(({ broken }) => broken.length === 0).map(({ plan }) => plan)
  const offer = cheapestPlan(card, { plans: admitted, rooms }, stayRequest)
  if (offer !== null) return offer
  const [least] = checked.toSorted((a, b) => a.broken.length - b.broken.length)
  return restricted(least?.broken ?? [])
}

function ageError({ rules }: RateCard): FieldError {
  const detail = `guests must be at least ${rules.minGuestAge} years old`
  return { pointer: '/occupancy/childrenAges', code: 'party_not_accepted', detail }
}

function capacityError(): FieldError {
  return { pointer: '/occupancy', code: 'capacity', detail: 'exceeds the capacity of the rooms' }
}

function restricted(errors: readonly FieldError[]): Problem {
  return problem('MELMASTOON.PRICING.RESTRICTED', { errors })
}

export function noRate(pointer: string, code: string): Problem {
  const errors = [{ pointer, code, detail: 'there is no published price' }]
  return problem('MELMASTOON.PRICING.NO_RATE', { errors })
}
