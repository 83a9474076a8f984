import { FRESH_SECTION, MISSING_SECTION } from '@melmastoon/bff/sections'
import { type Locale, money, newId, parseIsoDate, parseIsoDateTime } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import type { Site } from '../site/site.ts'
import { writeCalendar } from './calendar-file.ts'
import { verifyToken } from './confirmation-link.ts'
import { ConfirmationView } from './confirmation-view.ts'
import type { SharedConfirmation } from './shared-confirmation.ts'
import { writeConfirmation } from './write-confirmation.ts'

const roomTypeId = newId('rmt')
const shared: SharedConfirmation = {
  stay: {
    code: 'ABCD2345',
    status: 'confirmed',
    version: 3,
    confirmedAt: parseIsoDateTime('2026-11-16T09:00:00.000Z'),
    cancelledAt: null,
    propertyId: newId('ppt'),
    stay: { checkIn: parseIsoDate('2026-11-18'), checkOut: parseIsoDate('2026-11-20') },
    rooms: [{ roomTypeId, rooms: 2 }],
    total: { amountMicro: '9000000000', currency: 'AFN' },
    quoteId: newId('qte'),
    digest: `sha256:${'0'.repeat(64)}`,
    paymentMethod: 'cash_on_arrival',
    paymentIntentId: null,
  },
  total: money(900_000, 'AFN'),
  property: {
    propertyId: newId('ppt'),
    name: { default: 'Kabul Garden', localized: { 'ps-AF': 'د کابل باغ' } },
    address: {
      line: '12 Flower Street',
      nativeLine: '۱۲ د ګلونو کوڅه',
      city: { default: 'Kabul', localized: { ps: 'کابل' } },
      country: 'AF',
    },
    geo: { lat: 34.5, lng: 69.2 },
    photo: { url: 'https://photos.example/1.jpg', alt: { default: 'The garden' } },
    timeZone: 'Asia/Kabul',
    checkInTime: '14:00',
    checkOutTime: '12:00',
    houseRules: [{ code: 'no-smoking', text: { default: 'No smoking' } }],
    roomNames: { [roomTypeId]: { default: 'Double', localized: { 'ps-AF': 'دوه کسیزه' } } },
  },
  price: {
    occupancy: { adults: 3, children: 1, rooms: 2, childrenAges: [4] },
    display: money(12_000, 'USD'),
    lines: [
      {
        kind: 'night',
        label: { default: 'Night' },
        night: parseIsoDate('2026-11-18'),
        quantity: 2,
        amount: money(450_000, 'AFN'),
        included: false,
      },
    ],
    cancellation: { kind: 'free', freeUntilHours: 48, penaltyBasisPoints: 10_000 },
  },
  payment: { method: 'cash_on_arrival', status: 'pay_at_hotel', paid: null, refunded: null },
  sections: {
    reservation: FRESH_SECTION,
    property: FRESH_SECTION,
    price: FRESH_SECTION,
    payment: FRESH_SECTION,
  },
}
const withoutProperty: SharedConfirmation = {
  ...shared,
  property: null,
  sections: { ...shared.sections, property: MISSING_SECTION },
}
const keys = KeyRing.parse(`c1:active:${Buffer.alloc(32, 1).toString('base64url')}`)
const deps = { confirmationKeys: keys }
const reader = {
  tenantId: newId('tnt'),
  reservationId: newId('rsv'),
  address: 'subdomain' as Site['address'],
  slug: 'kabul',
  origin: 'http://kabul.localhost:8082',
  brandName: 'Garden Hotels',
  timeZone: 'Asia/Kabul',
  locale: 'en' as Locale,
  guest: { isMasked: false, fullName: 'Zarghuna Ana', email: 'zarghuna@example.com' },
  isStale: false,
  ageMs: 1_500.4,
}
const write = (from = shared, changed: Partial<typeof reader> = {}) =>
  writeConfirmation(deps, from, { ...reader, ...changed })

describe('T9 confirmation view', () => {
  it.each([
    ['subdomain', 'http://kabul.localhost:8082', 'http://kabul.localhost:8082/api'],
    ['domain', 'https://garden.example', 'https://garden.example/api'],
    ['path', 'http://127.0.0.1/kabul', 'http://127.0.0.1/bff/tenant-booking/v1/kabul'],
  ] as const)('links the calendar file at the API of a site by %s', (address, origin, api) => {
    const { confirmation, calendarFile } = write(shared, { address, origin }).links
    const { pathname, search } = new URL(confirmation.slice(origin.length), 'http://any')
    expect(confirmation.startsWith(`${origin}/confirmation/`)).toBe(true)
    expect(calendarFile).toBe(`${api}${pathname}/calendar.ics${search}`)
  })

  it('has the local times of the hotel, its instants and the deadline of cancellation', () => {
    expect(write().stay).toEqual({
      checkIn: { date: '2026-11-18', time: '14:00', at: '2026-11-18T09:30:00.000Z' },
      checkOut: { date: '2026-11-20', time: '12:00', at: '2026-11-20T07:30:00.000Z' },
      nights: 2,
      timeZone: 'Asia/Kabul',
    })
    expect(write().cancellation).toEqual({
      kind: 'free',
      freeUntilHours: 48,
      freeUntil: '2026-11-16T07:30:00.000Z',
      penaltyBasisPoints: 10_000,
    })
  })

  it('matches its schema with every section and without any', () => {
    const isView = Compile(ConfirmationView)
    const bare = { ...withoutProperty, price: null }
    expect(isView.Errors(write())).toEqual([])
    expect(isView.Errors(write(bare, { locale: 'ps-AF' }))).toEqual([])
  })

  it('states what is paid at the hotel, and nothing once it is paid', () => {
    expect(write().payment.dueAtHotel).toEqual({ amountMinor: 900_000, currency: 'AFN' })
    const paid = { ...shared.payment, status: 'paid', paid: money(900_000, 'AFN') } as const
    expect(write({ ...shared, payment: paid }).payment).toMatchObject({
      status: 'paid',
      paid: { amountMinor: 900_000 },
      dueAtHotel: null,
    })
  })

  it('keeps every section that is known while property and price are missing', () => {
    const view = write({ ...withoutProperty, price: null })
    expect(view).toMatchObject({
      code: 'ABCD2345',
      property: null,
      occupancy: null,
      cancellation: null,
      price: { total: { amountMinor: 900_000, currency: 'AFN' }, lines: null },
      stay: { checkIn: { date: '2026-11-18', time: null, at: null }, timeZone: 'Asia/Kabul' },
      degraded: true,
      sections: { property: { status: 'missing' }, reservation: { status: 'fresh', ageMs: 1_500 } },
    })
    expect(view.voucher.rows.map(({ label }) => label)).not.toContain('Hotel')
  })

  it('uses UTC where neither hotel nor site has a valid time zone', () => {
    const view = write(withoutProperty, { timeZone: 'Kabul' })
    expect(view.stay.timeZone).toBe('UTC')
    expect(view.cancellation?.freeUntil).toBe('2026-11-16T12:00:00.000Z')
  })

  it('marks a stale copy, and a guest that is no longer stored', () => {
    const stale = write(shared, { isStale: true })
    expect(stale.sections.price).toEqual({ status: 'stale', ageMs: 1_500 })
    expect(stale.degraded).toBe(true)
    const view = writeConfirmation(deps, shared, { ...reader, guest: null })
    expect(view.sections.guest).toEqual(MISSING_SECTION)
  })

  it('writes the voucher in the language of the guest', () => {
    const { voucher } = write(shared, { locale: 'ps-AF' })
    expect(voucher).toMatchObject({
      direction: 'rtl',
      title: 'د بکنګ تایید',
      qrText: 'MELMASTOON/1/ABCD2345',
    })
    const values = voucher.rows.map(({ value }) => value)
    expect(values).toContain('د کابل باغ')
    expect(values).toContain('۱۲ د ګلونو کوڅه، کابل')
    expect(values).toContain('۲ × دوه کسیزه')
    // One script, one comma.
    for (const value of values) expect(value).not.toContain(',')
    expect(values.filter((value) => value.includes('،'))).toHaveLength(3)
    const english = Object.fromEntries(write().voucher.rows.map((row) => [row.label, row.value]))
    expect(english).toMatchObject({
      'Check-in': 'Wednesday, November 18, 2026, 14:00',
      Rooms: '2 × Double',
      Address: '12 Flower Street, Kabul',
      Payment: 'To be paid at the hotel',
    })
  })

  it('links to itself with a token that opens it', () => {
    const { links } = write()
    const url = new URL(links.calendarFile)
    expect(url.pathname).toBe(`/api/confirmation/${reader.reservationId}/calendar.ics`)
    for (const link of [links.confirmation, links.calendarFile]) {
      const token = new URL(link).searchParams.get('t') ?? ''
      expect(verifyToken(deps, { ...reader, token, now: new Date('2026-11-16') })).toBe(true)
    }
  })

  it('gives Google Calendar times and place, but neither code, guest nor token', () => {
    const url = new URL(write().links.googleCalendar)
    expect(url.searchParams.get('dates')).toBe('20261118T093000Z/20261120T073000Z')
    expect(url.searchParams.get('location')).toBe('12 Flower Street, Kabul')
    expect(url.href).not.toMatch(/ABCD2345|zarghuna|t=1\./i)
    const days = new URL(write(withoutProperty).links.googleCalendar).searchParams.get('dates')
    expect(days).toBe('20261118/20261121')
  })
})

describe('T9 calendar file', () => {
  const fileOf = (from: SharedConfirmation, locale: Locale = 'en') => {
    const text = writeCalendar(from, { ...reader, locale })
    return { text, lines: text.replaceAll('\r\n ', '').split('\r\n') }
  }

  it('has the instants in UTC, a stable id, place and code', () => {
    const { lines } = fileOf(shared)
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'METHOD:PUBLISH',
        `UID:${reader.reservationId}@melmastoon.ghasi.io`,
        'SEQUENCE:3',
        'DTSTAMP:20261116T090000Z',
        'DTSTART:20261118T093000Z',
        'DTEND:20261120T073000Z',
        'SUMMARY:Kabul Garden',
        'GEO:34.5;69.2',
        'STATUS:CONFIRMED',
      ]),
    )
    expect(lines.join('\n')).toContain('Booking code: ABCD2345')
    expect(fileOf(shared).text).toBe(fileOf(shared).text)
  })

  it('has the local times as in the voucher, in the digits of the language', () => {
    const described = (locale: Locale) => {
      const line = fileOf(shared, locale).lines.find((each) => each.startsWith('DESC')) ?? ''
      return line.replaceAll('\\,', ',')
    }
    for (const locale of ['en', 'fa-AF', 'ps-AF'] as const) {
      const { rows } = write(shared, { locale }).voucher
      for (const row of rows.slice(3, 5)) expect(described(locale)).toContain(row.value)
    }
    expect(described('fa-AF')).not.toMatch(/\d\d:\d\d/)
  })

  it('contains neither the guest nor the signed link', () => {
    expect(fileOf(shared).text).not.toMatch(/zarghuna|example\.com|[?&]t=|ATTENDEE|ORGANIZER/i)
  })

  it('has whole days while the times of the hotel are unknown', () => {
    const { lines } = fileOf(withoutProperty)
    expect(lines).toContain('DTSTART;VALUE=DATE:20261118')
    expect(lines).toContain('DTEND;VALUE=DATE:20261121')
    expect(lines).toContain('SUMMARY:Garden Hotels')
  })

  it('cancels the entry of a cancelled stay', () => {
    const cancelledAt = parseIsoDateTime('2026-11-17T10:00:00.000Z')
    const stay = { ...shared.stay, status: 'cancelled', version: 4, cancelledAt } as const
    const { lines } = fileOf({ ...shared, stay })
    expect(lines).toEqual(
      expect.arrayContaining(['STATUS:CANCELLED', 'SEQUENCE:4', 'DTSTAMP:20261117T100000Z']),
    )
  })
})
