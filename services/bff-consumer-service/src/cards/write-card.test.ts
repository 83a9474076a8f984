import { isDeepStrictEqual } from 'node:util'
import type { IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CardOptions, createCardCache, type Hit, isSameJson, writeCard } from './write-card.ts'

const view: CardOptions = { locale: 'fa-AF', region: 'asia-south1', today: '2026-05-01' as IsoDate }
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
  timeZone: 'Asia/Kabul',
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

describe('the cache of cards', () => {
  it('returns the serialized bytes, and the same buffer for the same hotel', () => {
    const cards = createCardCache()
    const first = cards.prefixOf(hit, view)
    expect(cards.prefixOf(structuredClone(hit), view)).toBe(first)
    const parts = { brandPeek: '{}', price: '' }
    expect(`${first.toString()},"brandPeek":{}}`).toBe(writeCard(hit, parts, view))
  })

  it('ignores members that a card does not show', () => {
    const cards = createCardCache()
    const first = cards.prefixOf(hit, view)
    expect(cards.prefixOf({ ...hit, roomsLeft: 3, score: 77 } as Hit, view)).toBe(first)
  })

  it.each([
    ['a name', { ...hit, name: { default: 'Kabul Moon' } }, view, 'name'],
    ['a rating', { ...hit, guestRating: { value: 9.2, count: 21 } }, view, 'guestRating'],
    ['stars', { ...hit, starRating: undefined }, view, 'starRating'],
    ['a distance', { ...hit, distanceKm: 1.5 }, view, 'distanceKm'],
    ['the city in another language', hit, { ...view, locale: 'en' }, 'city'],
    ['a day on which it is new', hit, { ...view, today: '2020-02-14' }, 'badges'],
    ['another region', hit, { ...view, region: 'europe-west3' }, 'badges'],
  ])(
    'serializes again for %s, and again for the previous value',
    (_what, changed, seen, member) => {
      const cards = createCardCache()
      const before = whole(cards.prefixOf(hit, view))[member]
      const after = whole(cards.prefixOf(changed as Hit, seen as CardOptions))[member]
      expect(after).not.toEqual(before)
      expect(whole(cards.prefixOf(hit, view))[member]).toEqual(before)
    },
  )
})

describe('the comparison of JSON values', () => {
  const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it('agrees with isDeepStrictEqual', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [a, b] = [copyOf(one), copyOf(other)]
        expect(isSameJson(a, b)).toBe(isDeepStrictEqual(a, b))
        expect(isSameJson(a, copyOf(a))).toBe(true)
      }),
    )
  })

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [[], {}],
    [[1], [1, 2]],
    [
      [2, 1],
      [1, 2],
    ],
    [null, {}],
    ['1', 1],
  ])('distinguishes %j from %j', (one, other) => {
    expect(isSameJson(one, other)).toBe(false)
  })

  it('ignores the order of members', () => {
    expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
  })
})
