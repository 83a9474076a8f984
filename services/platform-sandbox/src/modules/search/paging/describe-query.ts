import type { Criteria } from '../plan-search.ts'
import type { SortKey } from './sort-key.ts'

/** The canonical text of a query, independent of member order and page size. */
export function describeQuery(criteria: Criteria, sortKey: SortKey): string {
  const { geo, stay, occupancy, filters, currency } = criteria
  const { adults, children, rooms, childrenAges } = occupancy
  return JSON.stringify([
    describeArea(geo),
    [stay.checkIn, stay.checkOut, adults, children, rooms, childrenAges ?? []],
    describeFilters(filters),
    currency,
    sortKey,
  ])
}

function describeArea(geo: Criteria['geo']): unknown[] {
  switch (geo.mode) {
    case 'point':
      return [geo.point.lat, geo.point.lng, geo.point.radiusKm]
    case 'bounding-box': {
      const { swLat, swLng, neLat, neLng } = geo.boundingBox
      return [swLat, swLng, neLat, neLng]
    }
    case 'city':
      return ['city', geo.city]
    case 'region':
      return ['region', geo.region]
  }
}

function describeFilters(filters: Criteria['filters']): unknown[] {
  const { priceRange } = filters
  return [
    filters.text,
    priceRange && [
      priceRange.minMicro,
      priceRange.maxMicro,
      priceRange.currency,
      priceRange.per ?? 'night',
    ],
    filters.amenities,
    filters.starRating,
    filters.guestRatingMin,
    filters.propertyType,
    filters.cancellationFlexibility,
    filters.neighbourhoods,
    filters.availableOnly ?? false,
  ]
}
