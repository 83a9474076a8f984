import { describe, expect, it } from 'vitest'
import { parseIsoDate } from './dates.ts'
import { instantIn } from './zoned-time.ts'

describe('the instant of a local time', () => {
  it.each([
    ['Asia/Kabul', '2026-05-20', '12:00', '2026-05-20T07:30:00.000Z'],
    ['Asia/Kabul', '2026-05-20', '02:00', '2026-05-19T21:30:00.000Z'],
    ['UTC', '2026-05-20', '12:00', '2026-05-20T12:00:00.000Z'],
    ['Europe/Istanbul', '2026-01-01', '00:00', '2025-12-31T21:00:00.000Z'],
    ['America/New_York', '2026-07-01', '12:00', '2026-07-01T16:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-07-01', '12:00', '2026-06-30T22:00:00.000Z'],
  ])('of %s on %s at %s', (timeZone, date, time, expected) => {
    expect(instantIn(timeZone, parseIsoDate(date), time)).toBe(expected)
  })

  it('is the one after the change when it is skipped, and the first when it is repeated', () => {
    const berlin = (date: string, time: string) =>
      instantIn('Europe/Berlin', parseIsoDate(date), time)
    expect(berlin('2026-03-29', '01:59')).toBe('2026-03-29T00:59:00.000Z')
    expect(berlin('2026-03-29', '02:30')).toBe('2026-03-29T01:30:00.000Z')
    expect(berlin('2026-03-29', '12:00')).toBe('2026-03-29T10:00:00.000Z')
    expect(berlin('2026-10-25', '02:30')).toBe('2026-10-25T00:30:00.000Z')
    expect(berlin('2026-10-25', '12:00')).toBe('2026-10-25T11:00:00.000Z')
  })

  it('needs a time of day and a time zone', () => {
    expect(() => instantIn('UTC', parseIsoDate('2026-01-01'), '25:00')).toThrow(TypeError)
    expect(() => instantIn('Nowhere/Town', parseIsoDate('2026-01-01'), '12:00')).toThrow(RangeError)
  })
})
