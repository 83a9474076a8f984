import { isIsoDate, problem, type StayDates } from '@melmastoon/domain'
import { toEpochDay } from './index/epoch-day.ts'

export const STAY_NIGHTS_MAX = 30
export const CALENDAR_NIGHTS_MAX = 92
const AHEAD_DAYS_MAX = 365
/** The last place on Earth where it is still yesterday. */
const LATEST_ZONE_MS = 12 * 3_600_000
const DAY_MS = 86_400_000

export interface NightRange {
  readonly firstDay: number
  /** Excluded: on this day the guest leaves. */
  readonly endDay: number
}

export interface StayLimits {
  readonly nightsMax: number
  /** Where in the request the two dates stand. */
  readonly pointers: { readonly from: string; readonly to: string }
}

/** Rejects what the projection cannot know about. Whose "today" it is, each hotel decides later. */
export function readNights(
  { checkIn, checkOut }: StayDates,
  now: Date,
  { nightsMax, pointers }: StayLimits,
): NightRange {
  if (!isIsoDate(checkIn)) throw refuseStay(pointers.from, 'not_a_date')
  if (!isIsoDate(checkOut)) throw refuseStay(pointers.to, 'not_a_date')
  const range = { firstDay: toEpochDay(checkIn), endDay: toEpochDay(checkOut) }
  const earliestDay = Math.floor((now.getTime() - LATEST_ZONE_MS) / DAY_MS)
  if (range.firstDay < earliestDay) throw refuseStay(pointers.from, 'in_the_past')
  const today = Math.floor(now.getTime() / DAY_MS)
  if (range.firstDay > today + AHEAD_DAYS_MAX) throw refuseStay(pointers.from, 'too_far_ahead')
  if (range.endDay <= range.firstDay) throw refuseStay(pointers.to, 'not_after_arrival')
  if (range.endDay - range.firstDay > nightsMax) throw refuseStay(pointers.to, 'too_many_nights')
  return range
}

const DETAILS = {
  not_a_date: 'There is no such day.',
  in_the_past: 'The day is over everywhere.',
  too_far_ahead: `At most ${AHEAD_DAYS_MAX} days ahead.`,
  not_after_arrival: 'A stay ends after the day it begins.',
  too_many_nights: 'Too many nights for one question.',
} as const

function refuseStay(pointer: string, code: keyof typeof DETAILS) {
  const detail = DETAILS[code]
  return problem('MELMASTOON.SEARCH.STAY_INVALID', { detail, errors: [{ pointer, code, detail }] })
}
