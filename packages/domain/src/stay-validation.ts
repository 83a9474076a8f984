import { isIsoDate } from './dates.ts'
import { type FieldError, fieldError } from './problem.ts'

const STAY_NIGHTS_MAX = 30
const DAYS_AHEAD_MAX = 365
/** The time zone of the destination is not known here: a day that is current somewhere is valid. */
const BEHIND_UTC_MAX_MS = 12 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** Half-open: the night of `end` is not included. */
export interface Period {
  readonly first: string
  readonly end: string
}

export interface PeriodRules {
  /** JSON pointers to the two dates in the request. */
  readonly firstAt: string
  readonly endAt: string
  readonly nightsMax: number
}

export function validatePeriod(
  { first, end }: Period,
  now: Date,
  { firstAt, endAt, nightsMax }: PeriodRules,
): FieldError[] {
  const errors = [
    [firstAt, first],
    [endAt, end],
  ]
    .filter(([, date]) => !isIsoDate(date))
    .map(([pointer = '']) => fieldError(pointer, 'date', 'is not a calendar date'))
  if (errors.length > 0) return errors
  if (first >= end) return [fieldError(endAt, 'order', `must be after ${memberOf(firstAt)}`)]
  const firstMs = Date.parse(first)
  const nowMs = now.getTime()
  if (firstMs + DAY_MS + BEHIND_UTC_MAX_MS <= nowMs) {
    errors.push(fieldError(firstAt, 'past', 'must not be in the past'))
  }
  if (firstMs - nowMs > DAYS_AHEAD_MAX * DAY_MS) {
    errors.push(fieldError(firstAt, 'range', `is more than ${DAYS_AHEAD_MAX} days ahead`))
  }
  if (Date.parse(end) - firstMs > nightsMax * DAY_MS) {
    errors.push(fieldError(endAt, 'range', `is more than ${nightsMax} nights later`))
  }
  return errors
}

function memberOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** `at` is the JSON pointer to the object that has the two dates. */
export function validateStayDates(
  { checkIn, checkOut }: { readonly checkIn: string; readonly checkOut: string },
  now: Date,
  at: string,
): FieldError[] {
  return validatePeriod({ first: checkIn, end: checkOut }, now, {
    firstAt: `${at}/checkIn`,
    endAt: `${at}/checkOut`,
    nightsMax: STAY_NIGHTS_MAX,
  })
}

export interface OccupancyFields {
  readonly children?: number
  readonly childrenAges?: readonly number[]
}

/** `at` is the JSON pointer to the object that has the fields. */
export function validateOccupancy(
  { children = 0, childrenAges }: OccupancyFields,
  at: string,
): FieldError[] {
  if (childrenAges === undefined || childrenAges.length === children) return []
  return [fieldError(`${at}/childrenAges`, 'count', 'must contain one age per child')]
}
