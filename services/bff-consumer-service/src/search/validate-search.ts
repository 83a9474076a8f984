import {
  type FieldError,
  fieldError,
  normalizeText,
  type UserMessageKey,
  validateOccupancy,
  validateStayDates,
  validateTextLength,
} from '@melmastoon/domain'
import { PROPERTY_TYPES } from '@melmastoon/upstream-contracts/property'
import { AMENITY_CODES, SEARCH_TEXT_MAX } from '@melmastoon/upstream-contracts/search'
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
    ...validateKnown(amenities, AMENITIES, '/filters/amenities'),
    ...validateKnown(propertyType, TYPES, '/filters/propertyType'),
    ...validateNames(neighbourhoods, SEARCH_TEXT_MAX.neighbourhood, '/filters/neighbourhoods'),
  ]
}

const AMENITIES: ReadonlySet<string> = new Set(AMENITY_CODES)
const TYPES: ReadonlySet<string> = new Set(PROPERTY_TYPES)

/** Blank ones are ignored; unknown ones would match no hotel, and the guest would not know why. */
function validateKnown(
  names: readonly string[] | undefined,
  known: ReadonlySet<string>,
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
