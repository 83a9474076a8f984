import { type IsoDate, type IsoDateTime, newId, type PropertyId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { describe, expect, it } from 'vitest'
import { fillPlaceholders, writeHotel } from './write-hotel.ts'

const HOSTILE = 'a "quote", a \\ and \u0000own\u0000 }]'
const hostile = { default: HOSTILE }
const place = { key: 'kabul', name: { default: 'Kabul' } }
const openedOn = '2019-05-01' as IsoDate
const moment = '2026-03-21T09:00:00.000Z' as IsoDateTime

function aListing(): Listing {
  return {
    propertyId: newId('ppt'),
    tenantId: newId('tnt'),
    tenantSlug: 'house',
    name: hostile,
    city: 'kabul',
    region: 'kabul',
    cityName: place.name,
    country: 'AF',
    geo: { lat: 34.5, lng: 69.2 },
    timeZone: 'Asia/Kabul',
    thumbnail: { url: 'https://photos.example/1.jpg', alt: hostile },
    propertyType: 'hotel',
    amenityHighlights: [HOSTILE],
    cancellationFlexibility: 'free',
    shariaCompliant: false,
    openedOn,
    deliveryRegion: 'asia-south1',
  }
}

const detail: PropertyDetail = {
  propertyId: newId('ppt'),
  tenantId: newId('tnt'),
  slug: 'house',
  version: 1,
  name: hostile,
  geo: { lat: 34.5, lng: 69.2 },
  timeZone: 'Asia/Kabul',
  propertyType: 'hotel',
  shariaCompliant: false,
  openedOn,
  description: hostile,
  address: { line: HOSTILE, nativeLine: HOSTILE, city: place, region: place, country: 'AF' },
  amenities: [],
  photos: [],
  policies: {
    cancellation: { kind: 'free', freeUntilHours: 0, penaltyBasisPoints: 0, text: hostile },
    checkInTime: '14:00',
    checkOutTime: '11:00',
    houseRules: [],
  },
  roomTypes: [],
  updatedAt: moment,
}

const similar = [aListing(), aListing(), aListing()]
const [first = '', second = '', third = ''] = similar.map(({ propertyId }) => propertyId)
const view = { locale: 'en', region: 'asia-south1', today: '2026-03-21' as IsoDate } as const

function write(shown: readonly string[]): string {
  const popularity = { bookedLast24h: 0, viewedLast1h: 0 }
  const signals = { listing: aListing(), popularity, similar, indexedAt: moment }
  const parts = { detail, signals, similar: new Set(shown as PropertyId[]), brands: new Map() }
  return writeHotel(parts, view)
}

interface Page {
  property: { description: string }
  own?: number
  similarProperties: { propertyId: string; rate?: string }[]
}

const fill = (written: string, own: string, rateOf: (id: string) => string) =>
  JSON.parse(`{${fillPlaceholders(written, { own, rateOf })}}`) as Page

describe('the placeholders of a page', () => {
  it('are each filled with their own price, whatever the surrounding texts contain', () => {
    const page = fill(write([first, third]), ',"own":1', (id) => `,"rate":"${id}"`)
    expect([page.own, page.property.description]).toEqual([1, HOSTILE])
    expect(page.similarProperties.map(({ propertyId, rate }) => [propertyId, rate])).toEqual([
      [first, first],
      [third, third],
    ])
  })

  it('are removed when there is no price', () => {
    const page = fill(write([second]), '', () => '')
    expect(page.similarProperties.map(Object.keys).flat()).not.toContain('rate')
    expect(page).not.toHaveProperty('own')
  })
})
