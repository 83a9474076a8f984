import type { RoomTypeId } from '@melmastoon/domain'
import type { Day } from './day.ts'
import type { Micro } from './micro.ts'
import type { RateCard, Room } from './rate-card.ts'

export interface Party {
  readonly adults: number
  /** One per child, ascending. */
  readonly childAges: readonly number[]
  /** Some ages are assumed. */
  readonly hasUnknownAges?: boolean
}

export interface Promotion {
  readonly code: string
  readonly discount:
    | { readonly kind: 'percent'; readonly basisPoints: bigint }
    | { readonly kind: 'fixed'; readonly amount: Micro }
}

export interface StayRequest {
  readonly arrival: Day
  readonly nights: number
  readonly party: Party
  /** The local date of the hotel. */
  readonly today: Day
  readonly promotion?: Promotion
  /** Scales all nightly prices, 10 000 leaves them unchanged: for scenarios. */
  readonly marketBasisPoints?: number
}

export interface RoomCount {
  readonly room: Room
  readonly quantity: number
}

/**
 * Children without an age are priced as the oldest, so that the price cannot increase on arrival.
 */
const UNKNOWN_AGE = 17

export function partyOf(occupancy: {
  readonly adults: number
  readonly children: number
  readonly childrenAges?: readonly number[]
}): Party {
  const ages = occupancy.childrenAges ?? []
  const unknown = Array.from({ length: occupancy.children - ages.length }, () => UNKNOWN_AGE)
  return {
    adults: occupancy.adults,
    childAges: [...ages, ...unknown].toSorted((a, b) => a - b),
    ...(unknown.length > 0 && { hasUnknownAges: true }),
  }
}

/**
 * Merged and sorted, so that the order of the request does not matter. Null: a room type of another
 * hotel.
 */
export function roomCounts(
  card: RateCard,
  requested: readonly { readonly roomTypeId: RoomTypeId; readonly quantity: number }[],
): RoomCount[] | null {
  const counts: RoomCount[] = []
  for (const room of card.rooms) {
    const quantity = requested
      .filter(({ roomTypeId }) => roomTypeId === room.roomTypeId)
      .reduce((sum, { quantity: rooms }) => sum + rooms, 0)
    if (quantity > 0) counts.push({ room, quantity })
  }
  const found = counts.reduce((sum, { quantity }) => sum + quantity, 0)
  return found === countRooms(requested) ? counts : null
}

export function countRooms(rooms: readonly { readonly quantity: number }[]): number {
  return rooms.reduce((sum, { quantity }) => sum + quantity, 0)
}
