import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomCapacity } from '../listing-document.ts'
import { buildCapacityTable, canHouse } from './capacity-table.ts'

const king = { adultsMax: 2, childrenMax: 1, rooms: 3 }
const dorm = { adultsMax: 6, childrenMax: 0, rooms: 1 }

describe('capacity table', () => {
  it.each([
    [{ adults: 2, children: 1, rooms: 1 }, true],
    [{ adults: 2, children: 2, rooms: 1 }, true],
    [{ adults: 7, children: 0, rooms: 1 }, false],
    [{ adults: 8, children: 1, rooms: 2 }, true],
    [{ adults: 8, children: 2, rooms: 2 }, false],
    [{ adults: 12, children: 3, rooms: 4 }, true],
    [{ adults: 5, children: 0, rooms: 5 }, false],
  ])('in three king rooms and a dorm %j: %s', (party, expected) => {
    expect(canHouse(buildCapacityTable([king, dorm]), party)).toBe(expected)
  })

  it('has no capacity without rooms', () => {
    expect(canHouse(buildCapacityTable([]), { adults: 1, children: 0, rooms: 1 })).toBe(false)
  })

  it('agrees with a brute-force search', () => {
    const roomType = fc.record({
      adultsMax: fc.integer({ min: 1, max: 5 }),
      childrenMax: fc.integer({ min: 0, max: 3 }),
      rooms: fc.integer({ min: 0, max: 3 }),
    })
    const party = fc.record({
      adults: fc.integer({ min: 1, max: 12 }),
      children: fc.integer({ min: 0, max: 6 }),
      rooms: fc.integer({ min: 1, max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(roomType, { maxLength: 3 }), party, (types, requested) => {
        expect(canHouse(buildCapacityTable(types), requested)).toBe(
          tryAll(roomsOf(types), requested),
        )
      }),
      { numRuns: 300 },
    )
  })
})

function roomsOf(types: readonly RoomCapacity[]): RoomCapacity[] {
  return types.flatMap((type) => Array.from({ length: type.rooms }, () => type))
}

function tryAll(
  rooms: readonly RoomCapacity[],
  party: { adults: number; children: number; rooms: number },
): boolean {
  const [room, ...rest] = rooms
  if (party.rooms === 0) return party.adults <= 0 && party.adults + party.children <= 0
  if (room === undefined) return false
  if (tryAll(rest, party)) return true
  for (let adults = 0; adults <= room.adultsMax; adults += 1) {
    const children = room.adultsMax - adults + room.childrenMax
    const left = {
      adults: Math.max(0, party.adults - adults),
      children: Math.max(0, party.children - children),
      rooms: party.rooms - 1,
    }
    if (tryAll(rest, left)) return true
  }
  return false
}
