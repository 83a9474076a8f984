import { type Occupancy, readOccupancy, StayQuery } from '@melmastoon/bff/stays'
import {
  addDays,
  type CurrencyCode,
  fieldError,
  type IsoDate,
  isIsoDate,
  type PropertyId,
  throwIfInvalid,
  todayIn,
  validateOccupancy,
  validatePeriod,
} from '@melmastoon/domain'
import { described, isoDate, text } from '@melmastoon/upstream-contracts'
import { CALENDAR_NIGHTS_MAX } from '@melmastoon/upstream-contracts/offers'
import { type Static, Type } from 'typebox'

const NIGHTS_DEFAULT = 60

const { adults, children, rooms, childrenAges } = StayQuery.properties

/** Unsupported locales and currencies have error codes of their own. */
export const CalendarQuery = Type.Object({
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
  from: Type.Optional(
    described(isoDate(), 'The first day of arrival; today at the hotel by default'),
  ),
  nights: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CALENDAR_NIGHTS_MAX,
      default: NIGHTS_DEFAULT,
      description: 'The number of days',
    }),
  ),
  adults,
  children,
  rooms,
  childrenAges,
})

export type CalendarQuery = Static<typeof CalendarQuery>

export interface CalendarRequest {
  readonly propertyId: PropertyId
  /** Undefined for today at the hotel. */
  readonly from: IsoDate | undefined
  readonly nights: number
  readonly occupancy: Occupancy
  readonly currency: CurrencyCode
}

const keys = new WeakMap<CalendarRequest, string>()

/** Equal for equal requests. */
export function keyOfCalendar(request: CalendarRequest): string {
  const known = keys.get(request)
  if (known !== undefined) return known
  const { propertyId, from, nights, occupancy, currency } = request
  const key = JSON.stringify([propertyId, from, nights, occupancy, currency])
  keys.set(request, key)
  return key
}

export interface CalendarInput {
  readonly propertyId: PropertyId
  readonly query: CalendarQuery
  readonly currency: CurrencyCode
}

/** @throws Problem VALIDATION_FAILED with a pointer to each invalid parameter. */
export function planCalendar(
  { propertyId, query, currency }: CalendarInput,
  now: Date,
): CalendarRequest {
  const { from, nights = NIGHTS_DEFAULT } = query
  const occupancy = readOccupancy(query)
  throwIfInvalid([...validateFrom(from, now), ...validateOccupancy(occupancy, '/query')])
  return { propertyId, from, nights, occupancy, currency }
}

const FROM_AT = '/query/from'

function validateFrom(from: IsoDate | undefined, now: Date) {
  if (from === undefined) return []
  const rules = { firstAt: FROM_AT, endAt: FROM_AT, nightsMax: CALENDAR_NIGHTS_MAX }
  const end = isIsoDate(from) ? addDays(from, 1) : from
  const errors = validatePeriod({ first: from, end }, now, rules)
  return errors.slice(0, 1)
}

/** @throws Problem VALIDATION_FAILED when the first day is in the past at the hotel. */
export function chooseFirstDay(from: IsoDate | undefined, timeZone: string, now: Date): IsoDate {
  const today = todayIn(timeZone, now)
  if (from === undefined) return today
  if (from < today) {
    throwIfInvalid([fieldError(FROM_AT, 'past', 'must not be in the past at the hotel')])
  }
  return from
}
