import {
  type FieldError,
  fieldError,
  normalizeText,
  type UserMessageKey,
  validateOccupancy,
  validateStayDates,
  validateTextLength,
} from '@melmastoon/domain'
import { SEARCH_TEXT_MAX } from '@melmastoon/upstream-contracts/search'
import { AMENITY_VALUES, type KnownValues, PROPERTY_TYPE_VALUES } from '../facets/known-values.ts'
import type { SearchBody } from './search-schema.ts'

const MEMBER_OF_MODE = {
  point: 'point',
  'bounding-box': 'boundingBox',
  city: 'city',
  region: 'region',
} as const

/** Rules that a schema cannot express: combinations of members, and lengths after normalisation. */
export function validateSearch(body: SearchBody, now: Date): FieldError[] {
  return [
    ...validateGeo(body.geo),
    ...validateStayDates(body.dates, now, '/dates'),
    ...validateOccupancy(body.occupancy, '/occupancy'),
    ...validateFilters(body.filters ?? {}),
  ]
}

/** A more specific text for the user where all errors concern the same part of a search. */
export function messageKeyOf(errors: readonly FieldError[]): UserMessageKey | undefined {
  const areAllIn = (part: string) => errors.every(({ pointer }) => pointer.startsWith(part))
  if (areAllIn('/dates')) return 'errors.search.stay_invalid'
  return areAllIn('/filters/priceRange') ? 'errors.search.price_range_invalid' : undefined
}

/** White space, case and the composition of letters do not distinguish places. */
export function normalizePlaceName(name: string): string {
  return normalizeText(name).toLowerCase()
}

function validateGeo(geo: SearchBody['geo']): FieldError[] {
  const own = MEMBER_OF_MODE[geo.mode]
  const errors = Object.values(MEMBER_OF_MODE)
    .filter((member) => member !== own && geo[member] !== undefined)
    .map((member) =>
      fieldError(`/geo/${member}`, 'exclusive', `is not allowed with mode ${geo.mode}`),
    )
  if (geo.city?.trim() === '' || geo.region?.trim() === '') {
    errors.push(fieldError(`/geo/${own}`, 'blank', 'must not be blank'))
  }
  if (geo[own] === undefined) {
    errors.push(fieldError(`/geo/${own}`, 'required', `is required by mode ${geo.mode}`))
  }
  const { boundingBox: box } = geo
  if (box !== undefined && box.swLat > box.neLat) {
    errors.push(fieldError('/geo/boundingBox/neLat', 'order', 'must not be south of swLat'))
  }
  return [...errors, ...validatePlaceName(geo, 'city'), ...validatePlaceName(geo, 'region')]
}

function validatePlaceName(geo: SearchBody['geo'], member: 'city' | 'region'): FieldError[] {
  const normalized = normalizePlaceName(geo[member] ?? '')
  return validateTextLength(normalized, SEARCH_TEXT_MAX.place, `/geo/${member}`)
}

type Filters = NonNullable<SearchBody['filters']>

function validateFilters(filters: Filters): FieldError[] {
  const { priceRange: range, amenities, propertyType, neighbourhoods } = filters
  const isReversed = range !== undefined && range.min > range.max
  const reversed = fieldError('/filters/priceRange/max', 'order', 'must not be below min')
  return [
    ...(isReversed ? [reversed] : []),
    ...validateKnown(amenities, AMENITY_VALUES, '/filters/amenities'),
    ...validateKnown(propertyType, PROPERTY_TYPE_VALUES, '/filters/propertyType'),
    ...validateNames(neighbourhoods, SEARCH_TEXT_MAX.neighbourhood, '/filters/neighbourhoods'),
  ]
}

/** Blank ones are ignored; unknown ones would match no hotel, and the guest would not know why. */
function validateKnown(
  names: readonly string[] | undefined,
  known: Pick<KnownValues, 'has'>,
  pointer: string,
): FieldError[] {
  return (names ?? []).flatMap((name, at) => {
    const value = normalizeText(name)
    if (value === '' || known.has(value)) return []
    return [fieldError(`${pointer}/${at}`, 'unknown', 'is not a value of this filter')]
  })
}

function validateNames(names: readonly string[] = [], lengthMax: number, at: string): FieldError[] {
  return names.flatMap((name, index) =>
    validateTextLength(normalizeText(name), lengthMax, `${at}/${index}`),
  )
}
