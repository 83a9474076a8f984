import { isProblem, type StayDates } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { chooseStay } from './hotel-query.ts'

const stay = (checkIn: string, checkOut: string) => ({ checkIn, checkOut }) as StayDates

describe('a stay', () => {
  it.each([
    ['Asia/Kabul', '2026-03-21T19:29:59.999Z', '2026-03-22', '2026-03-23'],
    ['Asia/Kabul', '2026-03-21T19:30:00.000Z', '2026-03-23', '2026-03-24'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2027-01-01', '2027-01-02'],
    ['Pacific/Kiritimati', '2026-03-21T10:00:00.000Z', '2026-03-23', '2026-03-24'],
  ])('is by default the tomorrow of %s at %s', (timeZone, now, checkIn, checkOut) => {
    expect(chooseStay(undefined, timeZone, new Date(now))).toEqual({ checkIn, checkOut })
  })

  it('may begin today at the hotel, and not yesterday', () => {
    const today = stay('2026-03-22', '2026-03-24')
    const late = new Date('2026-03-21T22:00:00.000Z')
    expect(chooseStay(today, 'Asia/Kabul', late)).toBe(today)
    const tooLate = () => chooseStay(stay('2026-03-21', '2026-03-24'), 'Asia/Kabul', late)
    expect(tooLate).toThrow(
      expect.toSatisfy((error) => isProblem(error) && error.errors?.[0]?.code === 'past'),
    )
  })
})
