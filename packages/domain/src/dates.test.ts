import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  daysBetween,
  type IsoDate,
  isIsoDate,
  isIsoDateTime,
  isRfc3339,
  isStay,
  isTimeZone,
  nightsBetween,
  nightsOf,
  normalizeDateTime,
  parseIsoDate,
  parseIsoDateTime,
  stayDates,
  staysOverlap,
  todayIn,
  toIsoDateTime,
} from './dates.ts'

const dates = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => parseIsoDate(date.toISOString().slice(0, 10)))

describe('calendar dates', () => {
  it.each(['2026-04-23', '2024-02-29', '2000-02-29', '1000-01-01', '9999-12-31'])(
    '%s is a date',
    (text) => {
      expect(parseIsoDate(text)).toBe(text)
    },
  )

  it.each([
    undefined,
    null,
    20260423,
    new Date(),
    '',
    '2026-4-23',
    '2026-04-31',
    '2023-02-29',
    '1900-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '0999-01-01',
    '10000-01-01',
    '+02026-01-01',
    '2026-04-23T00:00:00Z',
    '2026-04-23\n',
    ' 2026-04-23',
    '۲۰۲۶-۰۴-۲۳',
  ])('%j is not a date', (value) => {
    expect(isIsoDate(value)).toBe(false)
    expect(() => parseIsoDate(value)).toThrow(TypeError)
  })

  it('adding days and counting them are inverse', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -20_000, max: 20_000 }), (date, days) => {
        const moved = addDays(date, days)
        expect(daysBetween(date, moved)).toBe(days)
        expect(addDays(moved, -days)).toBe(date)
      }),
    )
  })

  it('text order is time order', () => {
    fc.assert(
      fc.property(dates, dates, (a, b) => {
        expect(a < b).toBe(daysBetween(a, b) > 0)
      }),
    )
  })

  it.each([0.5, Number.NaN, 1e9, -1e9])('does not add %d days', (days) => {
    expect(() => addDays(parseIsoDate('2026-04-23'), days)).toThrow(RangeError)
  })
})

describe('instants', () => {
  it('round-trips every Date of the four-digit years', () => {
    const instants = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, (instant) => {
        expect(new Date(toIsoDateTime(instant)).getTime()).toBe(instant.getTime())
      }),
    )
  })

  it.each([
    '2026-04-23T09:14:22Z',
    '2026-04-23T09:14:22.041+00:00',
    '2026-04-23T09:14:22.041+04:30',
    '2026-04-23 09:14:22.041Z',
    '2026-04-23T24:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-04-23T09:60:00.000Z',
    '2026-04-23T09:14:22.041Z\n',
    1745398462041,
    null,
  ])('%j is not an instant', (value) => {
    expect(isIsoDateTime(value)).toBe(false)
    expect(() => parseIsoDateTime(value)).toThrow(TypeError)
  })
})

describe('instants as clients send them', () => {
  it.each([
    ['2026-04-23T09:14:27Z', '2026-04-23T09:14:27.000Z'],
    ['2026-04-23T09:14:27.1Z', '2026-04-23T09:14:27.100Z'],
    ['2026-04-23T09:14:27.123456Z', '2026-04-23T09:14:27.123Z'],
    ['2026-04-23T09:14:27.123456789Z', '2026-04-23T09:14:27.123Z'],
    ['2026-04-23T09:14:27+04:30', '2026-04-23T04:44:27.000Z'],
    ['2026-04-23T09:14:27.5-00:00', '2026-04-23T09:14:27.500Z'],
    ['2026-01-01T00:00:00.000+14:00', '2025-12-31T10:00:00.000Z'],
    ['2026-04-23t09:14:27z', '2026-04-23T09:14:27.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(isRfc3339(text)).toBe(true)
    expect(normalizeDateTime(text)).toBe(instant)
  })

  it('keeps our own form', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1000-01-02'), max: new Date('9999-12-30') }), (date) => {
        fc.pre(!Number.isNaN(date.getTime()))
        expect(normalizeDateTime(date.toISOString())).toBe(date.toISOString())
      }),
    )
  })

  it.each([
    '2026-04-23T09:14:27',
    '2026-04-23 09:14:27Z',
    '2026-04-23T09:14Z',
    '2026-04-23T24:00:00Z',
    '2026-04-23T09:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2026-04-23T09:14:27.Z',
    '2026-04-23T09:14:27+0430',
    '2026-04-23T09:14:27+24:00',
    '9999-12-31T23:59:59-01:00',
    '1000-01-01T00:00:00+01:00',
    '2026-04-23T09:14:27Z\n',
    '2026-04-23',
    1745398462041,
    null,
  ])('%j is not an instant', (value) => {
    expect(isRfc3339(value)).toBe(false)
    expect(() => normalizeDateTime(value)).toThrow(TypeError)
  })
})

describe('stays are half-open', () => {
  it('the night of the check-out is not part of the stay', () => {
    const stay = stayDates('2026-05-20', '2026-05-22')
    expect(nightsBetween(stay)).toBe(2)
    expect(nightsOf(stay)).toEqual(['2026-05-20', '2026-05-21'])
  })

  it.each([
    ['2026-05-20', '2026-05-20', RangeError],
    ['2026-05-21', '2026-05-20', RangeError],
    ['2026-05-20', '2026-02-30', TypeError],
    ['x', '2026-05-20', TypeError],
  ])('%s to %s is not a stay', (checkIn, checkOut, kind) => {
    expect(isStay(checkIn, checkOut)).toBe(false)
    expect(() => stayDates(checkIn, checkOut)).toThrow(kind)
  })

  it('nights cover exactly the days from check-in on', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: 1, max: 400 }), (checkIn, nights) => {
        const stay = { checkIn, checkOut: addDays(checkIn, nights) }
        const slept = nightsOf(stay)
        expect(slept).toHaveLength(nights)
        expect(new Set(slept).size).toBe(nights)
        expect(slept[0]).toBe(checkIn)
        expect(slept.at(-1)).toBe(addDays(stay.checkOut, -1))
      }),
    )
  })

  it('two stays overlap exactly when they share a night', () => {
    const stays = fc
      .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 6 }))
      .map(([start, nights]) => {
        const checkIn = addDays('2026-03-25' as IsoDate, start)
        return { checkIn, checkOut: addDays(checkIn, nights) }
      })
    fc.assert(
      fc.property(stays, stays, (a, b) => {
        const shared = nightsOf(a).some((night) => nightsOf(b).includes(night))
        expect(staysOverlap(a, b)).toBe(shared)
      }),
    )
  })

  it('a stay across a clock change has all its nights', () => {
    expect(nightsBetween(stayDates('2026-03-28', '2026-03-30'))).toBe(2)
    expect(nightsBetween(stayDates('2026-10-24', '2026-10-26'))).toBe(2)
  })
})

describe('the hotel’s today', () => {
  it.each([
    ['Asia/Kabul', '2026-04-23T19:29:59.999Z', '2026-04-23'],
    ['Asia/Kabul', '2026-04-23T19:30:00.000Z', '2026-04-24'],
    ['Asia/Kathmandu', '2026-04-23T18:15:00.000Z', '2026-04-24'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', '2027-01-01'],
    ['Pacific/Niue', '2026-01-01T10:59:59.999Z', '2025-12-31'],
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
    ['America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T05:00:00.000Z', '2026-11-02'],
    ['Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24'],
  ])('in %s at %s it is %s', (timeZone, now, today) => {
    expect(todayIn(timeZone, new Date(now))).toBe(today)
  })

  it('Kabul is UTC+04:30 all year', () => {
    const years = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2035-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(years, (now) => {
        const local = new Date(now.getTime() + 4.5 * 3_600_000).toISOString().slice(0, 10)
        expect(todayIn('Asia/Kabul', now)).toBe(local)
      }),
    )
  })

  it.each(['UTC', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/New_York', 'Pacific/Kiritimati'])(
    'the date in %s changes at local midnight, also when it is cached',
    (timeZone) => {
      const startMs = Date.parse('2026-10-31T00:00:00Z')
      const minutes = fc.array(fc.integer({ min: 0, max: 3 * 24 * 60 }), { minLength: 20 })
      fc.assert(
        fc.property(minutes, (all) => {
          for (const minute of all) {
            const now = new Date(startMs + minute * 60_000)
            const local = now.toLocaleDateString('en-CA', { timeZone })
            expect(todayIn(timeZone, now)).toBe(local)
          }
        }),
        { numRuns: 20 },
      )
    },
  )

  it.each(['', 'Kabul', 'Asia/Nowhere', 4.5, null, 'Asia/Kabul\n'])(
    '%j is not a time zone',
    (zone) => {
      expect(isTimeZone(zone)).toBe(false)
    },
  )

  it('rejects an invalid clock or zone', () => {
    expect(isTimeZone('Asia/Kabul')).toBe(true)
    expect(() => todayIn('Asia/Nowhere', new Date())).toThrow(RangeError)
    expect(() => todayIn('UTC', new Date(Number.NaN))).toThrow(RangeError)
  })
})
