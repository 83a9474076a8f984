import { type FieldError, isIsoDate } from '@melmastoon/domain'
import type { SearchBody } from './search-fields.ts'

const NIGHTS_MAX = 30
const DAYS_AHEAD_MAX = 365
/** The destination's day is not known here: what is still today somewhere is not refused. */
const BEHIND_UTC_MAX_MS = 12 * 3_600_000
const DAY_MS = 24 * 3_600_000

const MEMBER_OF_MODE = {
  point: 'point',
  'bounding-box': 'boundingBox',
  city: 'city',
  region: 'region',
} as const

/** What a schema cannot say: members that fit one by one and not together. */
export function findContradictions(body: SearchBody, now: Date): FieldError[] {
  return [
    ...findInGeo(body.geo),
    ...findInDates(body.dates, now),
    ...findInOccupancy(body.occupancy),
    ...findInFilters(body.filters),
  ]
}

function findInGeo(geo: SearchBody['geo']): FieldError[] {
  const own = MEMBER_OF_MODE[geo.mode]
  const errors = Object.values(MEMBER_OF_MODE)
    .filter((member) => member !== own && geo[member] !== undefined)
    .map((member) => fault(`/geo/${member}`, 'exclusive', `does not go with mode ${geo.mode}`))
  if (geo.city?.trim() === '' || geo.region?.trim() === '') {
    errors.push(fault(`/geo/${own}`, 'blank', 'names no place'))
  }
  if (geo[own] === undefined) {
    errors.push(fault(`/geo/${own}`, 'required', `is needed by mode ${geo.mode}`))
  }
  const { boundingBox: box } = geo
  if (box !== undefined && box.swLat > box.neLat) {
    errors.push(fault('/geo/boundingBox/neLat', 'order', 'must not be south of swLat'))
  }
  return errors
}

/** `at` is where in the request they are. */
export function findInDates(
  { checkIn, checkOut }: SearchBody['dates'],
  now: Date,
  at = '/dates',
): FieldError[] {
  return findInPeriod({ first: checkIn, end: checkOut }, now, {
    firstAt: `${at}/checkIn`,
    endAt: `${at}/checkOut`,
    nightsMax: NIGHTS_MAX,
  })
}

/** Half-open: the night of `end` does not belong to it. */
export interface Period {
  readonly first: string
  readonly end: string
}

export interface PeriodRules {
  /** Where in the request the two days are. */
  readonly firstAt: string
  readonly endAt: string
  readonly nightsMax: number
}

export function findInPeriod(
  { first, end }: Period,
  now: Date,
  { firstAt, endAt, nightsMax }: PeriodRules,
): FieldError[] {
  const errors = [
    [firstAt, first],
    [endAt, end],
  ]
    .filter(([, date]) => !isIsoDate(date))
    .map(([pointer = '']) => fault(pointer, 'date', 'is not a day of the calendar'))
  if (errors.length > 0) return errors
  if (first >= end) return [fault(endAt, 'order', 'must be after the first day')]
  const firstMs = Date.parse(first)
  const nowMs = now.getTime()
  if (firstMs + DAY_MS + BEHIND_UTC_MAX_MS <= nowMs) {
    errors.push(fault(firstAt, 'past', 'is a day that is over in every time zone'))
  }
  if (firstMs - nowMs > DAYS_AHEAD_MAX * DAY_MS) {
    errors.push(fault(firstAt, 'range', `is more than ${DAYS_AHEAD_MAX} days ahead`))
  }
  if (Date.parse(end) - firstMs > nightsMax * DAY_MS) {
    errors.push(fault(endAt, 'range', `is more than ${nightsMax} nights later`))
  }
  return errors
}

export function findInOccupancy(
  { children = 0, childrenAges }: SearchBody['occupancy'],
  at = '/occupancy',
): FieldError[] {
  if (childrenAges === undefined || childrenAges.length === children) return []
  return [fault(`${at}/childrenAges`, 'count', 'must hold one age per child')]
}

function findInFilters(filters: SearchBody['filters']): FieldError[] {
  const range = filters?.priceRange
  if (range === undefined || range.min <= range.max) return []
  return [fault('/filters/priceRange/max', 'order', 'must not be below min')]
}

export function fault(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}
