import type { CurrencyCode, PropertyId } from '@melmastoon/domain'
import { findCountry } from './countries.ts'
import { readNames } from './names.ts'
import { boardPrice } from './price-room.ts'
import { SeededRandom } from './seeded-random.ts'
import type { Names, WorldRoomType } from './world.ts'
import { worldId } from './world-id.ts'

type RoomKind = WorldRoomType['kind']

interface KindFacts {
  readonly name: Names
  readonly adultsMax: number
  readonly childrenMax: number
  readonly sizeSqm: number
  /** Its price relative to the standard double room of the house. */
  readonly priceFactor: number
}

const ROOM_KINDS: Readonly<Record<RoomKind, KindFacts>> = {
  king: {
    name: readNames('King room / لوی بستر خونه / اتاق با تخت بزرگ'),
    adultsMax: 2,
    childrenMax: 1,
    sizeSqm: 22,
    priceFactor: 1,
  },
  twin: {
    name: readNames('Twin room / دوه بستره خونه / اتاق دو تخته'),
    adultsMax: 2,
    childrenMax: 0,
    sizeSqm: 20,
    priceFactor: 0.92,
  },
  suite: {
    name: readNames('Suite / سویټ / سویت'),
    adultsMax: 2,
    childrenMax: 2,
    sizeSqm: 44,
    priceFactor: 1.9,
  },
  family: {
    name: readNames('Family room / کورنۍ خونه / اتاق خانوادگی'),
    adultsMax: 4,
    childrenMax: 3,
    sizeSqm: 36,
    priceFactor: 1.55,
  },
  dorm: {
    name: readNames('Shared room / ګډه خونه / اتاق مشترک'),
    adultsMax: 6,
    childrenMax: 0,
    sizeSqm: 30,
    priceFactor: 0.8,
  },
  apartment: {
    name: readNames('Apartment / اپارتمان / آپارتمان'),
    adultsMax: 4,
    childrenMax: 2,
    sizeSqm: 62,
    priceFactor: 1.6,
  },
}

const ROOMS_PER_FLOOR = 9

export interface RoomsPlan {
  readonly seed: string
  readonly propertyId: PropertyId
  readonly currency: CurrencyCode
  /** The price of the standard double room. */
  readonly nightlyUsd: number
  readonly country: string
  readonly starRating: number | null
  readonly kinds: readonly { readonly kind: RoomKind; readonly count: number }[]
}

/** Rooms are numbered floor by floor: 101, 102, … 109, 201. */
export function planRooms(plan: RoomsPlan): WorldRoomType[] {
  const random = SeededRandom.of(`${plan.seed}:sizes:${plan.propertyId}`)
  const size = sizeFactor(random, plan)
  let next = 0
  return plan.kinds.map(({ kind, count }) => {
    const { name, adultsMax, childrenMax, sizeSqm, priceFactor } = ROOM_KINDS[kind]
    const rooms = Array.from({ length: count }, () => planRoom(plan, next++))
    return {
      roomTypeId: worldId('rmt', plan.seed, `${plan.propertyId}:${kind}`),
      kind,
      name,
      adultsMax,
      childrenMax,
      sizeSqm: Math.round(sizeSqm * size * (0.94 + random.next() * 0.12)),
      baseNightlyMicro: boardPrice(plan.nightlyUsd * priceFactor, plan.currency),
      rooms,
    }
  })
}

const STAR_SIZES = [0.85, 0.75, 0.85, 1, 1.2, 1.5]

/** Rooms are larger in a better class, in some countries, and in some houses. */
function sizeFactor(random: SeededRandom, { country, starRating }: RoomsPlan): number {
  const { roomSize = 1 } = findCountry(country)
  return roomSize * (STAR_SIZES[starRating ?? 0] ?? 1) * (0.88 + random.next() * 0.24)
}

function planRoom(plan: RoomsPlan, index: number) {
  const floor = Math.floor(index / ROOMS_PER_FLOOR) + 1
  const number = String(floor * 100 + (index % ROOMS_PER_FLOOR) + 1)
  return { roomId: worldId('rmu', plan.seed, `${plan.propertyId}:${number}`), number, floor }
}
