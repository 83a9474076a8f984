import type { IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { createCardMemory } from './card-memory.ts'
import type { CardView, Hit } from './own-part.ts'
import { writeCard } from './write-card.ts'

const view: CardView = { locale: 'fa-AF', region: 'asia-south1', today: '2026-05-01' as IsoDate }
const hit: Hit = {
  propertyId: 'ppt_01JGFJJZ00NVYHFXBWZNEGQ4J0' as PropertyId,
  tenantId: 'tnt_01JGFJJZ00SSPTD0Y3AK25C250' as TenantId,
  tenantSlug: 'turquoise',
  name: { default: 'Kabul Star', localized: { 'fa-AF': 'ستاره کابل' } },
  city: 'kabul',
  region: 'kabul',
  cityName: { default: 'Kabul', localized: { 'fa-AF': 'کابل' } },
  country: 'AF',
  geo: { lat: 34.5, lng: 69.1 },
  thumbnail: { url: 'https://photos.example/1', alt: { default: 'Front' } },
  propertyType: 'hotel',
  starRating: 4,
  guestRating: { value: 9.1, count: 20 },
  amenityHighlights: ['wifi', 'garden'],
  cancellationFlexibility: 'free',
  shariaCompliant: true,
  openedOn: '2020-02-13' as IsoDate,
  deliveryRegion: 'asia-south1',
}

const whole = (open: Buffer) => JSON.parse(`${open.toString()}}`) as Record<string, unknown>

describe('the memory of cards', () => {
  it('gives the bytes that writing gives, and the very same for the same hotel', () => {
    const cards = createCardMemory()
    const first = cards.open(hit, view)
    expect(cards.open(structuredClone(hit), view)).toBe(first)
    const parts = { brandPeek: '{}', rateSnapshot: undefined }
    expect(`${first.toString()},"brandPeek":{}}`).toBe(writeCard(hit, parts, view))
  })

  it('ignores what a card does not show', () => {
    const cards = createCardMemory()
    const first = cards.open(hit, view)
    expect(cards.open({ ...hit, roomsLeft: 3, score: 77 } as Hit, view)).toBe(first)
  })

  it.each([
    ['a name', { ...hit, name: { default: 'Kabul Moon' } }, view, 'name'],
    ['a rating', { ...hit, guestRating: { value: 9.2, count: 21 } }, view, 'guestRating'],
    ['stars', { ...hit, starRating: undefined }, view, 'starRating'],
    ['a distance', { ...hit, distanceKm: 1.5 }, view, 'distanceKm'],
    ['the city in another language', hit, { ...view, locale: 'en' }, 'city'],
    ['a day on which it is new', hit, { ...view, today: '2020-02-14' }, 'badges'],
    ['another region', hit, { ...view, region: 'europe-west3' }, 'badges'],
  ])('writes anew for %s, and anew for what was before', (_what, changed, seen, member) => {
    const cards = createCardMemory()
    const before = whole(cards.open(hit, view))[member]
    const after = whole(cards.open(changed as Hit, seen as CardView))[member]
    expect(after).not.toEqual(before)
    expect(whole(cards.open(hit, view))[member]).toEqual(before)
  })
})
