import { UNBOOKABLE_REASONS, type UnbookableReason } from '@melmastoon/upstream-contracts/offers'
import { HORIZON_DAYS } from '../../inventory/module.ts'
import { acceptsAges, firstRestriction, fitsInto } from '../engine/check-restrictions.ts'
import { isPublic, type Plan, type RateCard, type Room } from '../engine/rate-card.ts'
import { isFlexible } from './free-until.ts'
import type { HotelStock } from './hotel-stock.ts'
import type { HotelTime, OfferedStay } from './offered-stay.ts'

/** Past nights, and nights that are not on sale yet. */
export function isClosed({ arrival }: OfferedStay, { today }: HotelTime): boolean {
  return arrival < today || arrival - today > HORIZON_DAYS
}

/** Why nothing at a hotel can be booked, whatever the room and the plan. */
export function partyReason(
  card: RateCard,
  { stay, time }: { readonly stay: OfferedStay; readonly time: HotelTime },
): 'closed' | 'party_not_accepted' | null {
  if (isClosed(stay, time)) return 'closed'
  return acceptsAges(card, stay.party) ? null : 'party_not_accepted'
}

export function roomReason(
  room: Room,
  stock: HotelStock,
  stay: OfferedStay,
): 'party_too_large' | 'sold_out' | 'not_enough_rooms' | null {
  const { arrival, nights, quantity } = stay
  if (!fitsInto(room, quantity, stay.party)) return 'party_too_large'
  const left = stock.roomsLeft(room.roomTypeId, arrival, nights)
  if (left >= quantity) return null
  return left === 0 ? 'sold_out' : 'not_enough_rooms'
}

/** The most rooms of one type that are left in every night, of the types with enough beds. */
function mostRooms({ rooms }: RateCard, stock: HotelStock, stay: OfferedStay): number {
  const { arrival, nights, quantity, party } = stay
  const fitting = rooms.filter((room) => fitsInto(room, quantity, party))
  return Math.max(
    0,
    ...fitting.map(({ roomTypeId }) => stock.roomsLeft(roomTypeId, arrival, nights)),
  )
}

/** Null when the offer can be booked. */
export function offerReason(
  { card, plan, room }: { readonly card: RateCard; readonly plan: Plan; readonly room: Room },
  stock: HotelStock,
  { stay, time }: { readonly stay: OfferedStay; readonly time: HotelTime },
): UnbookableReason | null {
  const { arrival, nights } = stay
  return (
    partyReason(card, { stay, time }) ??
    roomReason(room, stock, stay) ??
    firstRestriction(plan, { arrival, nights, today: time.today }) ??
    (plan.nightly.has(room.roomTypeId) ? null : 'no_rate')
  )
}

/** The plans that guests can choose from, with the requested terms. */
export function plansFor(card: RateCard, stay: OfferedStay, { nowMs }: HotelTime): readonly Plan[] {
  const { timeZone } = card
  return card.plans.filter((plan) => isPublic(plan) && isFlexible(plan, stay, { timeZone, nowMs }))
}

export interface Unavailability {
  readonly reason: UnbookableReason
  /** Of one type, where there are too few. */
  readonly roomsLeft?: number
}

/** Why a hotel without a bookable offer has none. */
export function unavailabilityOf(
  card: RateCard,
  stock: HotelStock,
  { stay, time }: { readonly stay: OfferedStay; readonly time: HotelTime },
): Unavailability {
  const reason = hotelReason(card, stock, { stay, time })
  if (reason !== 'not_enough_rooms') return { reason }
  return { reason, roomsLeft: mostRooms(card, stock, stay) }
}

/**
 * Why a hotel has no bookable offer: the reason of the offer that comes closest, so that a large
 * room that is sold out counts, not a small one that would not fit anyway.
 */
export function hotelReason(
  card: RateCard,
  stock: HotelStock,
  { stay, time }: { readonly stay: OfferedStay; readonly time: HotelTime },
): UnbookableReason {
  const general = partyReason(card, { stay, time })
  if (general !== null) return general
  const plans = plansFor(card, stay, time)
  const reasons = card.rooms.flatMap((room) =>
    plans.map((plan) => offerReason({ card, plan, room }, stock, { stay, time })),
  )
  const order = (reason: UnbookableReason | null) =>
    reason === null || reason === 'no_rate' ? -1 : UNBOOKABLE_REASONS.indexOf(reason)
  const closest = Math.max(-1, ...reasons.map(order))
  return UNBOOKABLE_REASONS[closest] ?? 'no_rate'
}
