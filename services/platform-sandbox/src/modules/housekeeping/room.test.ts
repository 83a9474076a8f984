import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { occupancyOf } from './room.ts'

const day = (number: number) => parseIsoDate(`2026-11-${String(number).padStart(2, '0')}`)
const stay = (from: number, to: number) => ({ checkIn: day(from), checkOut: day(to) })
const TODAY = day(15)

describe('the occupancy of a room', () => {
  it.each([
    ['vacant', null, []],
    ['vacant', null, [stay(12, 15)]],
    ['reserved', null, [stay(15, 17)]],
    ['reserved', null, [stay(14, 17)]],
    ['occupied', 14, [stay(14, 16)]],
    ['occupied', 15, [stay(15, 16)]],
    ['due_out', 12, [stay(12, 15)]],
    ['due_out', 12, []],
  ] as const)('is %s since %s with the stays %j', (expected, since, stays) => {
    expect(occupancyOf(since === null ? null : day(since), stays, TODAY)).toBe(expected)
  })

  it('is that of the guests who are there when others leave and arrive on one day', () => {
    const stays = [stay(12, 15), stay(15, 18)]
    expect(occupancyOf(day(12), stays, TODAY)).toBe('due_out')
    expect(occupancyOf(null, stays, TODAY)).toBe('reserved')
    expect(occupancyOf(day(15), stays, TODAY)).toBe('occupied')
  })
})
