import type { RoomCapacity } from '../listing-document.ts'

/** The maxima of `Occupancy`. */
const ROOMS_MAX = 10
const ADULTS_MAX = 30
const WIDTH = ADULTS_MAX + 1
const PEOPLE_MAX = 255

/** Per number of rooms and number of adults: the maximum number of guests. */
export type CapacityTable = Uint8Array

/**
 * Rooms may be of different kinds, within the available number of each. A child may use an adult's
 * bed, but not vice versa.
 */
export function buildCapacityTable(roomTypes: readonly RoomCapacity[]): CapacityTable {
  const best = new Int16Array((ROOMS_MAX + 1) * WIDTH).fill(-1)
  best[0] = 0
  for (const type of roomTypes) {
    for (let count = 0; count < Math.min(type.rooms, ROOMS_MAX); count += 1) addRoom(best, type)
  }
  return suffixMaxima(best)
}

/** Downwards, so that the room is used once. */
function addRoom(best: Int16Array, { adultsMax, childrenMax }: RoomCapacity): void {
  for (let rooms = ROOMS_MAX - 1; rooms >= 0; rooms -= 1) {
    for (let adults = ADULTS_MAX; adults >= 0; adults -= 1) {
      const people = best[rooms * WIDTH + adults] ?? -1
      if (people < 0) continue
      const at = (rooms + 1) * WIDTH + Math.min(ADULTS_MAX, adults + adultsMax)
      const more = Math.min(PEOPLE_MAX, people + adultsMax + childrenMax)
      best[at] = Math.max(best[at] ?? -1, more)
    }
  }
}

/** Capacity for more adults includes capacity for fewer. */
function suffixMaxima(best: Int16Array): CapacityTable {
  const table = new Uint8Array(best.length)
  for (let rooms = 0; rooms <= ROOMS_MAX; rooms += 1) {
    let people = 0
    for (let adults = ADULTS_MAX; adults >= 0; adults -= 1) {
      people = Math.max(people, best[rooms * WIDTH + adults] ?? 0)
      table[rooms * WIDTH + adults] = people
    }
  }
  return table
}

export function canHouse(
  table: CapacityTable,
  { adults, children, rooms }: { adults: number; children: number; rooms: number },
): boolean {
  return (table[rooms * WIDTH + adults] ?? 0) >= adults + children
}
