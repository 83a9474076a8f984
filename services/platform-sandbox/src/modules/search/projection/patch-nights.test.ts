import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patchNights } from './patch-nights.ts'

describe('patchNights', () => {
  it('replaces nights, fills the gap after them and removes past nights', () => {
    const known = { firstDay: 100, roomsLeft: [1, 2, 3], roomsTotal: 9 }
    expect(patchNights(known, { firstDay: 105, roomsLeft: [7, 8] }, 101)).toEqual({
      firstDay: 101,
      roomsLeft: [2, 3, 9, 9, 7, 8],
    })
  })

  it('contains every night that is not past', () => {
    const nights = fc.record({
      firstDay: fc.integer({ min: 0, max: 30 }),
      roomsLeft: fc.array(fc.nat({ max: 5 }), { maxLength: 20 }),
    })
    fc.assert(
      fc.property(nights, nights, fc.nat({ max: 20 }), (known, fresh, today) => {
        const all = { ...known, roomsTotal: 50 }
        const patched = patchNights(all, fresh, today)
        for (let day = Math.max(today, patched.firstDay); day < 60; day += 1) {
          const expected =
            fresh.roomsLeft[day - fresh.firstDay] ?? known.roomsLeft[day - known.firstDay] ?? 50
          expect(patched.roomsLeft[day - patched.firstDay] ?? 50).toBe(expected)
        }
      }),
    )
  })
})
