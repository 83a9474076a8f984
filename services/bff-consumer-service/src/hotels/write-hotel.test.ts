import { describe, expect, it } from 'vitest'
import { fillGaps, type HotelParts, writeHotel } from './write-hotel.ts'

const HOSTILE = 'a "quote", a \\ and \u0000own\u0000 }]'
const text = (value: string) => ({ default: value })
const listing = (propertyId: string, tenantId: string) => ({
  propertyId,
  tenantId,
  tenantSlug: 'house',
  name: text(HOSTILE),
  cityName: text('Kabul'),
  country: 'AF',
  geo: { lat: 34.5, lng: 69.2 },
  thumbnail: { url: 'https://photos.example/1.jpg', alt: text(HOSTILE) },
  amenityHighlights: [HOSTILE],
  shariaCompliant: false,
  openedOn: '2019-05-01',
  deliveryRegion: 'asia-south1',
})
const place = { key: 'kabul', name: text('Kabul') }
const detail = {
  propertyId: 'ppt_own',
  tenantId: 'tnt_own',
  name: text(HOSTILE),
  description: text(HOSTILE),
  propertyType: 'hotel',
  geo: { lat: 34.5, lng: 69.2 },
  timeZone: 'Asia/Kabul',
  address: { line: HOSTILE, nativeLine: HOSTILE, city: place, region: place, country: 'AF' },
  shariaCompliant: false,
  openedOn: '2019-05-01',
  amenities: [],
  photos: [],
  policies: { cancellation: { text: text(HOSTILE) }, checkInTime: '14:00', checkOutTime: '11:00' },
  roomTypes: [],
}
const signals = {
  listing: listing('ppt_own', 'tnt_own'),
  popularity: { bookedLast24h: 0, viewedLast1h: 0 },
  similar: [listing('ppt_a', 'tnt_a'), listing('ppt_b', 'tnt_b'), listing('ppt_c', 'tnt_c')],
}

const partsOf = (shown: string[]) =>
  ({ detail, signals, similar: new Set(shown), brands: new Map() }) as unknown as HotelParts
const view = { locale: 'en', region: 'asia-south1', today: '2026-03-21' } as Parameters<
  typeof writeHotel
>[1]

interface Written {
  property: { description: string }
  own?: number
  similarProperties: { propertyId: string; rate?: string }[]
}

const fill = (written: string, own: string, rateOf: (id: string) => string) =>
  JSON.parse(`{${fillGaps(written, { own, rateOf })}}`) as Written

describe('the gaps of a page', () => {
  it('are filled each with its own, whatever the texts around them say', () => {
    const written = writeHotel(partsOf(['ppt_a', 'ppt_c']), view)
    const page = fill(written, ',"own":1', (id) => `,"rate":"${id}"`)
    expect(page.own).toBe(1)
    expect(page.property.description).toBe(HOSTILE)
    expect(page.similarProperties.map(({ propertyId, rate }) => [propertyId, rate])).toEqual([
      ['ppt_a', 'ppt_a'],
      ['ppt_c', 'ppt_c'],
    ])
  })

  it('leave nothing behind when there is nothing to fill them with', () => {
    const written = writeHotel(partsOf(['ppt_b']), view)
    const page = fill(written, '', () => '')
    expect(page.similarProperties.map(Object.keys).flat()).not.toContain('rate')
    expect(page).not.toHaveProperty('own')
  })
})
