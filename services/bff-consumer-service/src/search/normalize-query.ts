import { problem } from '@melmastoon/domain'
import type { GeoArea } from '@melmastoon/upstream-contracts/search'
import type { SearchBody } from './search-fields.ts'
import type { SearchFilters, SearchQuery } from './search-query.ts'
import { validateSearch } from './validate-search.ts'

/**
 * Order, repetition, white space and what only says the default make no difference to an answer,
 * so they make none to the question either: whoever asks the same shares one page. Members are
 * always in the order written here, so equal questions are equal texts.
 * @throws Problem VALIDATION_FAILED with a pointer to each member that contradicts another.
 */
export function normalizeQuery(body: SearchBody, now: Date): SearchQuery {
  const errors = validateSearch(body, now)
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
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
  if (city !== undefined) return { mode: 'city', city: placeName(city) }
  return { mode: 'region', region: placeName(region ?? '') }
}

/** About ten metres: closer no two searches differ. Adding zero makes -0 plain. */
function degrees(value: number): number {
  return Math.round(value * 10_000) / 10_000 + 0
}

function placeName(name: string): string {
  return plain(name).toLowerCase()
}

function plain(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
}

function normalizeFilters(filters: SearchFilters): SearchFilters {
  const { priceRange, guestRatingMin = 0, cancellationFlexibility = 'any' } = filters
  const lists = {
    amenities: names(filters.amenities),
    propertyType: names(filters.propertyType),
    neighbourhoods: names(filters.neighbourhoods),
  }
  const stars = [...new Set(filters.starRating)].sort((a, b) => a - b)
  return {
    ...(priceRange && { priceRange: inOrder(priceRange) }),
    ...(lists.amenities.length > 0 && { amenities: lists.amenities }),
    ...(stars.length > 0 && { starRating: stars }),
    ...(guestRatingMin > 0 && { guestRatingMin }),
    ...(lists.propertyType.length > 0 && { propertyType: lists.propertyType }),
    ...(cancellationFlexibility !== 'any' && { cancellationFlexibility }),
    ...(lists.neighbourhoods.length > 0 && { neighbourhoods: lists.neighbourhoods }),
  }
}

function inOrder({ min, max, currency }: NonNullable<SearchFilters['priceRange']>) {
  return { min, max, currency }
}

/** White space names nothing, so nothing is asked for by it. */
function names(values: readonly string[] = []): string[] {
  return [...new Set(values.map(plain))].filter((name) => name !== '').sort()
}
