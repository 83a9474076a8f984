import { LOCALES, type Locale } from '@melmastoon/domain'
import { messagesOf } from '@melmastoon/domain/messages'
import { PROPERTY_TYPES } from '@melmastoon/upstream-contracts/property'
import { AMENITY_CODES } from '@melmastoon/upstream-contracts/search'
import { describe, expect, it } from 'vitest'
import { FacetCatalog } from '../../src/facets/facet-catalog.ts'
import type { SearchPage } from '../../src/search/search-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { outcomeOf, pointersOf } from '../harness/map-client.ts'
import { createGuest, post, searchRequest } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock, getPath } = fixture

const ALL_AMENITIES = Object.fromEntries(AMENITY_CODES.map((code, at) => [code, at + 1]))

type LabelledFacets = Pick<FacetCatalog, 'amenities' | 'propertyType'>

/** Values that filters reject, and labels that are not those of the language. */
function defectsOf({ amenities, propertyType }: LabelledFacets, locale: Locale): string[] {
  const messages: Readonly<Record<string, string>> = messagesOf(locale)
  const check = (values: FacetCatalog['amenities'], known: readonly string[], area: string) =>
    values.flatMap(({ value, label }) => {
      if (!known.includes(value)) return [`${value} is not known`]
      return label === messages[`${area}.${value}`] ? [] : [`${value} has the label ${label}`]
    })
  return [
    ...check(amenities, AMENITY_CODES, 'labels.amenity'),
    ...check(propertyType, PROPERTY_TYPES, 'labels.property_type'),
  ]
}

describe('C13 the facet catalogue', () => {
  const SHARED = 'public, max-age=15, s-maxage=300, stale-while-revalidate=60'

  it('lists the filter values, the most frequent first, with names in the requested language', async () => {
    const response = await getPath('/facets?locale=fa-AF&currency=AFN')
    expect(closedCheck(FacetCatalog)(response.body)).toEqual([])
    expect(response.body).toEqual({
      sections: { facets: { status: 'fresh', ageMs: 0 } },
      degraded: false,
      total: 14,
      amenities: [
        { value: 'wifi', label: 'وای‌فای رایگان', count: 12 },
        { value: 'garden', label: 'باغ', count: 3 },
      ],
      starRating: [{ value: 3, count: 7 }],
      propertyType: [{ value: 'hotel', label: 'هوتل', count: 12 }],
      neighbourhoods: [{ value: 'Shahr-e Naw', label: 'شهر نو', count: 2 }],
      cities: [{ value: 'kabul', label: 'کابل', count: 12 }],
    })
  })

  it.each(LOCALES)('C20 has only values that filters accept, labelled in %s', async (locale) => {
    const facets = {
      amenities: { ...ALL_AMENITIES, helipad: 9 },
      propertyType: { hotel: 12, castle: 2 },
      starRating: {},
      neighbourhoods: {},
      cities: {},
    }
    fixture.upstreams.searchExtra = { facets }
    const { text } = await getPath(`/facets?locale=${locale}&currency=PKR`)
    const catalog = JSON.parse(text) as FacetCatalog
    expect(defectsOf(catalog, locale)).toEqual([])
    expect(catalog.amenities).toHaveLength(AMENITY_CODES.length)
    expect(catalog.propertyType.map(({ value }) => value)).toEqual(['hotel'])
    const filters = { amenities: catalog.amenities.slice(0, 20).map(({ value }) => value) }
    const json = searchRequest({ filters, locale })
    const found = await post(fixture.service.url, '/search', { json })
    expect(found.status).toBe(200)
    const { facetValues, facets: counts } = JSON.parse(found.text) as SearchPage
    expect(facetValues && defectsOf(facetValues, locale)).toEqual([])
    expect(counts).toEqual({ ...facets, amenities: ALL_AMENITIES, propertyType: { hotel: 12 } })
  })

  it('control: an unknown amenity, and one without a label in the language, are found', async () => {
    const { text } = await getPath('/facets?locale=ps-AF&currency=IRR')
    const catalog = JSON.parse(text) as FacetCatalog
    expect(defectsOf(catalog, 'ps-AF')).toEqual([])
    const helipad = { value: 'helipad', label: 'چورلکه', count: 1 }
    const wifi = { value: 'wifi', label: 'wifi', count: 1 }
    const inEnglish = { value: 'garden', label: 'Garden', count: 1 }
    const amenities = [helipad, wifi, inEnglish]
    expect(defectsOf({ ...catalog, amenities }, 'ps-AF')).toEqual([
      'helipad is not known',
      'wifi has the label wifi',
      'garden has the label Garden',
    ])
  })

  it('D5 with locale and currency in the URL varies on no header', async () => {
    const { headers } = await getPath('/facets?locale=en&currency=USD')
    expect(headers.get('cache-control')).toBe(SHARED)
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('set-cookie')).toBeNull()
  })

  it.each(['', '?locale=en', '?currency=USD'])(
    'D5 requested with %j has the Vary header for missing parameters',
    async (query) => {
      const { headers } = await getPath(`/facets${query}`)
      expect(headers.get('cache-control')).toBe(SHARED)
      expect(headers.get('vary')).toBe('Accept-Language, X-Currency, Accept-Encoding')
      expect(headers.get('set-cookie')).toBeNull()
    },
  )

  it('D5 is the same with and without a cookie', async () => {
    const guest = await createGuest(fixture.service.url, { 'accept-language': 'fa' })
    const headers = { 'accept-language': 'en', 'x-currency': 'EUR' }
    const otherGuest = await getPath('/facets', headers)
    const known = await getPath('/facets', { ...headers, cookie: guest.cookie })
    expect(known.text).toBe(otherGuest.text)
    expect(known.headers.get('set-cookie')).toBeNull()
  })

  it('is cached for an hour, and not sent again to a client that has it', async () => {
    const path = '/facets?locale=en&currency=GBP'
    const first = await getPath(path)
    clock.advance(50 * 60_000)
    const again = await getPath(path, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, again.headers.get('x-cache'), again.text]).toEqual([304, 'HIT', ''])
    expect(again.headers.get('cache-control')).toBe(SHARED)
    clock.advance(30 * 60_000)
    expect((await getPath(path)).headers.get('x-cache')).toBe('MISS')
  })

  it.each([
    ['locale=de', 422, 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/query/locale'],
    ['currency=XAU', 422, 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', '/query/currency'],
    ['city=kabul', 400, 'MELMASTOON.GENERAL.VALIDATION_FAILED', '/query/city'],
  ])('requested with %s is rejected', async (query, status, code, pointer) => {
    const response = await getPath(`/facets?${query}`)
    expect([...outcomeOf(response), ...pointersOf(response)]).toEqual([status, code, pointer])
  })
})
