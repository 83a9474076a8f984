import { newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoomNights } from './room-nights.ts'

const FIRST_DAY = 100
const ids = [newId('rmt'), newId('rmt')]
const roomsTotal = fc.oneof(fc.nat({ max: 30 }), fc.integer({ min: 250, max: 1_000 }))
const type = fc
  .record({ roomsTotal, nights: fc.array(fc.nat({ max: 1_000 }), { maxLength: 20 }) })
  .map(({ roomsTotal: total, nights }) => ({ roomsTotal: total, roomsLeft: nights }))

describe('RoomNights', () => {
  it('has the fewest rooms of any night; nights after the known ones are fully available', () => {
    fc.assert(
      fc.property(
        fc.tuple(type, type),
        fc.nat({ max: 1 }),
        fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 25 }),
        fc.integer({ min: 1, max: 12 }),
        (types, chosen, arrival, nights) => {
          const [roomTypeId = newId('rmt')] = [ids[chosen]]
          const stored = types.map((each, at) => ({ ...each, roomTypeId: ids[at] ?? newId('rmt') }))
          const { roomsTotal: total = 0, roomsLeft = [] } = types[chosen] ?? {}
          const expected = Array.from(
            { length: nights },
            (_, night) => roomsLeft[arrival - FIRST_DAY + night] ?? total,
          )
          const left = new RoomNights(FIRST_DAY, stored).fewest(roomTypeId, arrival, nights)
          expect(left).toBe(Math.min(...expected))
        },
      ),
    )
  })

  it('has no rooms of an unknown type, and none before the first night', () => {
    const nights = new RoomNights(FIRST_DAY, [
      { roomTypeId: ids[0] ?? newId('rmt'), roomsTotal: 5, roomsLeft: [4, -1] },
    ])
    expect(nights.fewest(newId('rmt'), FIRST_DAY, 1)).toBe(0)
    expect(nights.fewest(ids[0] ?? newId('rmt'), FIRST_DAY - 1, 2)).toBe(0)
    expect(nights.fewest(ids[0] ?? newId('rmt'), FIRST_DAY, 2)).toBe(0)
    expect(nights.fewest(ids[0] ?? newId('rmt'), FIRST_DAY + 2, 2)).toBe(5)
  })
})
