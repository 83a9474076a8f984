import { type CurrencyCode, instantIn, type PropertyId } from '@melmastoon/domain'
import { checkRestrictions, fits } from '../../src/modules/pricing/engine/check-restrictions.ts'
import { dateOf, dayOf } from '../../src/modules/pricing/engine/day.ts'
import { convert } from '../../src/modules/pricing/engine/fx.ts'
import { priceStay } from '../../src/modules/pricing/engine/price-stay.ts'
import type { Plan, RateCard } from '../../src/modules/pricing/engine/rate-card.ts'
import { partyOf } from '../../src/modules/pricing/engine/stay-request.ts'
import { hotelDay } from '../../src/modules/pricing/hotel-day.ts'
import type { SearchRequest } from '../../src/modules/search/run-query.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'
import { EXCHANGE } from './load-world.ts'
import { rateCardOf } from './rates-of-world.ts'
import { roomsLeftIn } from './rooms-left.ts'

const HOUR_MS = 3_600_000

export interface ExpectedPrice {
  readonly total: bigint
  readonly cheapestNight: bigint
  readonly currency: CurrencyCode
}

type Priced = Pick<SearchRequest, 'stay' | 'occupancy' | 'filters'>

/** The cheapest bookable offer of a hotel, by pricing all of them line by line. */
export function expectedPrices(world: World, now: Date) {
  const roomsLeft = roomsLeftIn(world)
  const cards = new Map<PropertyId, RateCard>()
  return (property: WorldProperty, { stay, occupancy, filters }: Priced): ExpectedPrice | null => {
    const { propertyId } = property
    const card = cards.get(propertyId) ?? rateCardOf(world, property)
    cards.set(propertyId, card)
    const arrival = dayOf(stay.checkIn)
    const nights = dayOf(stay.checkOut) - arrival
    const today = hotelDay(card.timeZone, now.getTime())
    const stayRequest = { arrival, nights, today, party: partyOf(occupancy) }
    const first = arrival - dayOf(world.anchorDate) + 1
    if (property.propertyType === 'hostel' && hasChildBelow(16, occupancy)) return null
    const bills = card.rooms.flatMap((room) => {
      const rooms = [{ room, quantity: occupancy.rooms }]
      const left = roomsLeft(property).roomTypes.find((type) => type.roomTypeId === room.roomTypeId)
      const free = left?.roomsLeft.slice(first, first + nights) ?? []
      if (!fits(rooms, stayRequest) || free.some((count) => count < occupancy.rooms)) return []
      return card.plans
        .filter(({ category }) => category !== 'corporate')
        .filter((plan) => meets(plan, filters, { arrival, card, now }))
        .filter((plan) => checkRestrictions(plan, stayRequest).length === 0)
        .map((plan) => priceStay(card, { plan, rooms }, stayRequest))
    })
    const [cheapest] = bills.toSorted((a, b) => Number(a.total - b.total))
    return cheapest ? { ...cheapest, currency: card.currency } : null
  }
}

/** A child without an age may be younger. */
function hasChildBelow(minAge: number, { children, childrenAges = [] }: Priced['occupancy']) {
  return childrenAges.length < children || childrenAges.some((age) => age < minAge)
}

function meets(
  { cancellation: { kind, freeUntilHours, penaltyBasisPoints } }: Plan,
  { cancellationFlexibility: wanted = 'any' }: SearchRequest['filters'],
  { arrival, card, now }: { arrival: number; card: RateCard; now: Date },
): boolean {
  if (wanted === 'any') return true
  if (kind === 'none') return false
  const noon = Date.parse(instantIn(card.timeZone, dateOf(arrival), '12:00'))
  const isFree = now.getTime() < noon - freeUntilHours * HOUR_MS
  return isFree || (wanted === 'partial' && penaltyBasisPoints < 10_000)
}

export function shownIn(currency: CurrencyCode, amount: bigint, own: CurrencyCode): bigint {
  return convert(EXCHANGE, { amount, from: own, to: currency })
}
