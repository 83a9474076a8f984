import { isIsoDate, problem, type StayDates } from '@melmastoon/domain'
import { toEpochDay } from './index/epoch-day.ts'

export const STAY_NIGHTS_MAX = 30
export const CALENDAR_NIGHTS_MAX = 92
const AHEAD_DAYS_MAX = 365
/** The last time zone where it is still yesterday. */
const LATEST_ZONE_MS = 12 * 3_600_000
const DAY_MS = 86_400_000

export interface NightRange {
  readonly firstDay: number
  /** Excluded: the day of departure. */
  readonly endDay: number
}

export interface StayLimits {
  readonly nightsMax: number
  /** The pointers of the two dates in the request. */
  readonly pointers: { readonly from: string; readonly to: string }
}

/** Rejects stays that cannot be searched. The local date of each hotel is checked later. */
export function readNights(
  { checkIn, checkOut }: StayDates,
  now: Date,
  { nightsMax, pointers }: StayLimits,
): NightRange {
  if (!isIsoDate(checkIn)) throw rejectStay(pointers.from, 'not_a_date')
  if (!isIsoDate(checkOut)) throw rejectStay(pointers.to, 'not_a_date')
  const range = { firstDay: toEpochDay(checkIn), endDay: toEpochDay(checkOut) }
  const earliestDay = Math.floor((now.getTime() - LATEST_ZONE_MS) / DAY_MS)
  if (range.firstDay < earliestDay) throw rejectStay(pointers.from, 'in_the_past')
  const today = Math.floor(now.getTime() / DAY_MS)
  if (range.firstDay > today + AHEAD_DAYS_MAX) throw rejectStay(pointers.from, 'too_far_ahead')
  if (range.endDay <= range.firstDay) throw rejectStay(pointers.to, 'not_after_arrival')
  if (range.endDay - range.firstDay > nightsMax) throw rejectStay(pointers.to, 'too_many_nights')
  return range
}

const DETAILS = {
  not_a_date: 'is not a valid date',
  in_the_past: 'must not be in the past',
  too_far_ahead: `must be at most ${AHEAD_DAYS_MAX} days ahead`,
  not_after_arrival: 'must be after the arrival date',
  too_many_nights: 'exceeds the maximum number of nights',
} as const

function rejectStay(pointer: string, code: keyof typeof DETAILS) {
  const detail = DETAILS[code]
  return problem('MELMASTOON.SEARCH.STAY_INVALID', { detail, errors: [{ pointer, code, detail }] })
}
