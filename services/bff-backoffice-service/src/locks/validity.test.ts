import type { IsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { validityOf } from './validity.ts'

const stay = {
  checkIn: '2026-03-20' as IsoDate,
  checkOut: '2026-03-22' as IsoDate,
  timeZone: 'Asia/Kabul',
  checkInTime: '14:00',
  checkOutTime: '12:00',
  isInHouse: false,
}
const validFrom = '2026-03-20T09:30:00.000Z'
const validUntil = '2026-03-22T08:00:00.000Z'

describe('validityOf', () => {
  it('lasts from check-in until 30 minutes after check-out in the zone of the hotel', () => {
    expect(validityOf(stay, new Date('2026-03-01T00:00:00Z'))).toEqual({ validFrom, validUntil })
  })

  it('begins now for guests who are in the hotel before the time of check-in', () => {
    const early = new Date('2026-03-20T06:00:00Z')
    const inHouse = { ...stay, isInHouse: true }
    expect(validityOf(inHouse, early).validFrom).toBe(early.toISOString())
    expect(validityOf(inHouse, new Date('2026-03-21T06:00:00Z')).validFrom).toBe(validFrom)
  })

  it('follows a change of the clocks during the stay', () => {
    const dates = { checkIn: '2026-03-28' as IsoDate, checkOut: '2026-03-30' as IsoDate }
    const berlin = { ...stay, ...dates, timeZone: 'Europe/Berlin' }
    expect(validityOf(berlin, new Date('2026-03-01T00:00:00Z'))).toEqual({
      validFrom: '2026-03-28T13:00:00.000Z',
      validUntil: '2026-03-30T10:30:00.000Z',
    })
  })
})
