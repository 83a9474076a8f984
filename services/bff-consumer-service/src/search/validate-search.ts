import {
  type FieldError,
  fieldError,
  validateOccupancy,
  validateStayDates,
} from '@melmastoon/domain'
import type { SearchBody } from './search-fields.ts'

const MEMBER_OF_MODE = {
  point: 'point',
  'bounding-box': 'boundingBox',
  city: 'city',
  region: 'region',
} as const

/** Rules that a schema cannot express: members that are valid alone and not together. */
export function validateSearch(body: SearchBody, now: Date): FieldError[] {
  return [
    ...validateGeo(body.geo),
    ...validateStayDates(body.dates, now, '/dates'),
    ...validateOccupancy(body.occupancy, '/occupancy'),
    ...validateFilters(body.filters),
  ]
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
  return errors
}

function validateFilters(filters: SearchBody['filters']): FieldError[] {
  const range = filters?.priceRange
  if (range === undefined || range.min <= range.max) return []
  return [fieldError('/filters/priceRange/max', 'order', 'must not be below min')]
}
