import type { Occupancy } from '@melmastoon/bff/stays'
import {
  type CurrencyCode,
  type Locale,
  normalizeText,
  type StayDates,
  throwIfInvalid,
} from '@melmastoon/domain'
import type { GeoArea, SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import type { SearchBody } from './search-schema.ts'
import { messageKeyOf, normalizePlaceName, validateSearch } from './validate-search.ts'

export type SortKey = (typeof SORT_KEYS)[number]
export type SearchFilters = NonNullable<SearchBody['filters']>

/** A normalized search: equal searches are equal objects, however they were written. */
export interface SearchQuery {
  readonly geo: GeoArea
  readonly dates: StayDates
  readonly occupancy: Occupancy
  readonly filters: SearchFilters
  readonly sortKey: SortKey
}

/** One page of a search, or its map, in one language and one currency. */
export interface PageRequest {
  readonly kind: 'list' | 'map'
  readonly query: SearchQuery
  readonly cursor: string | undefined
  readonly pageSize: number
  readonly locale: Locale
  readonly currency: CurrencyCode
  /** The query alone, the same on all of its pages. */
  readonly queryText: string
  /** SHA-256 of `queryText` (domain model §2.2). */
  readonly queryHash: string
  /** The query with its page; equal for equal responses. */
  readonly pageKey: string
  /** The dimensions of the cache entry. Frozen, because a plan outlives its request. */
  readonly dims: Readonly<Record<'locale' | 'currency' | 'query', string>>
  /** Changes at the place of the search invalidate the response. */
  readonly tags: readonly string[]
}

/**
 * Order, repetition, white space and explicit defaults make no difference to the response, so they
 * are removed: equal searches share one page. Members are always in the order written here, so
 * equal queries have equal JSON texts.
 * @throws Problem VALIDATION_FAILED with a pointer to each invalid member.
 */
export function normalizeQuery(body: SearchBody, now: Date): SearchQuery {
  const errors = validateSearch(body, now)
  throwIfInvalid(errors, messageKeyOf(errors))
  const { adults, children = 0, rooms = 1, childrenAges = [] } = body.occupancy
  return {
    geo: normalizeArea(body.geo),
    dates: { checkIn: body.dates.checkIn, checkOut: body.dates.checkOut },
    occupancy: {
      adults,
      children,
      rooms,
      ...(childrenAges.length > 0 && { childrenAges: childrenAges.toSorted((a, b) => a - b) }),
    },
    filters: normalizeFilters(body.filters ?? {}),
    sortKey: body.sortKey ?? 'recommended',
  }
}

function normalizeArea({ point, boundingBox: box, city, region }: SearchBody['geo']): GeoArea {
  if (point !== undefined) {
    const { lat, lng, radiusKm } = point
    return {
      mode: 'point',
      point: { lat: degrees(lat), lng: degrees(lng), radiusKm: Math.ceil(radiusKm * 10) / 10 },
    }
  }
  if (box !== undefined) {
    const { swLat, swLng, neLat, neLng } = box
    return {
      mode: 'bounding-box',
      boundingBox: {
        swLat: degrees(swLat),
        swLng: degrees(swLng),
        neLat: degrees(neLat),
        neLng: degrees(neLng),
      },
    }
  }
  if (city !== undefined) return { mode: 'city', city: normalizePlaceName(city) }
  return { mode: 'region', region: normalizePlaceName(region ?? '') }
}

/** To about ten metres: no two searches differ by less. Adding zero turns -0 into 0. */
function degrees(value: number): number {
  return Math.round(value * 10_000) / 10_000 + 0
}

function normalizeFilters(filters: SearchFilters): SearchFilters {
  const { priceRange, guestRatingMin = 0, cancellationFlexibility = 'any' } = filters
  const amenities = uniqueNames(filters.amenities)
  const propertyType = uniqueNames(filters.propertyType)
  const neighbourhoods = uniqueNames(filters.neighbourhoods)
  const stars = [...new Set(filters.starRating)].sort((a, b) => a - b)
  return {
    ...(priceRange && { priceRange: inOrder(priceRange) }),
    ...(amenities.length > 0 && { amenities }),
    ...(stars.length > 0 && { starRating: stars }),
    ...(guestRatingMin > 0 && { guestRatingMin }),
    ...(propertyType.length > 0 && { propertyType }),
    ...(cancellationFlexibility !== 'any' && { cancellationFlexibility }),
    ...(neighbourhoods.length > 0 && { neighbourhoods }),
    ...(filters.availableOnly === true && { availableOnly: true }),
  }
}

function inOrder({ per, min, max, currency }: NonNullable<SearchFilters['priceRange']>) {
  return { ...(per === 'stay' && { per }), min, max, currency }
}

/** Blank names are ignored. */
function uniqueNames(values: readonly string[] = []): string[] {
  return [...new Set(values.map(normalizeText))].filter((name) => name !== '').sort()
}
