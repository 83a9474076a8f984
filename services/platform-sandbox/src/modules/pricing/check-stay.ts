import {
  type FieldError,
  isIsoDate,
  nightsBetween,
  problem,
  type StayDates,
} from '@melmastoon/domain'
import { type Day, dayOf } from './engine/day.ts'

/** The longest stay that is priced. */
const NIGHTS_MAX = 90
/** The booking horizon. */
const AHEAD_DAYS_MAX = 730
const DAY_MS = 86_400_000

export interface RequestedStay {
  readonly stay: { readonly checkIn: string; readonly checkOut: string }
  readonly occupancy: {
    readonly adults: number
    readonly children: number
    readonly rooms: number
    readonly childrenAges?: readonly number[]
  }
  readonly rooms?: readonly { readonly quantity: number }[]
}

/**
 * Throws `PRICING.STAY_INVALID` with pointers for a stay that no hotel could price. Whether the
 * arrival date is past depends on the hotel; before yesterday it is past everywhere.
 */
export function checkStay(
  requested: RequestedStay,
  nowMs: number,
): { arrival: Day; nights: number } {
  const errors = occupancyErrors(requested)
  const { checkIn, checkOut } = requested.stay
  if (!isIsoDate(checkIn)) errors.push(error('/stay/checkIn', 'date', 'not a calendar date'))
  if (!isIsoDate(checkOut)) errors.push(error('/stay/checkOut', 'date', 'not a calendar date'))
  if (isIsoDate(checkIn) && isIsoDate(checkOut)) {
    errors.push(...rangeErrors({ checkIn, checkOut }, Math.floor(nowMs / DAY_MS)))
    if (errors.length === 0) {
      return { arrival: dayOf(checkIn), nights: nightsBetween({ checkIn, checkOut }) }
    }
  }
  throw problem('MELMASTOON.PRICING.STAY_INVALID', { errors })
}

/** The night is past at the hotel. */
export function checkNotPast(arrival: Day, today: Day): void {
  if (arrival >= today) return
  const errors = [error('/stay/checkIn', 'past', 'must not be in the past')]
  throw problem('MELMASTOON.PRICING.STAY_INVALID', { errors })
}

/** For calendars: past days have no price, days beyond the horizon are rejected. */
export function checkFirstDay(day: Day, today: Day): void {
  if (day - today <= AHEAD_DAYS_MAX) return
  throw problem('MELMASTOON.PRICING.STAY_INVALID', { errors: [tooFar('/query/from')] })
}

function rangeErrors(stay: StayDates, utcDay: Day): FieldError[] {
  const errors: FieldError[] = []
  const nights = nightsBetween(stay)
  const ahead = dayOf(stay.checkIn) - utcDay
  if (nights < 1) errors.push(error('/stay/checkOut', 'order', 'must be after checkIn'))
  if (nights > NIGHTS_MAX) {
    errors.push(error('/stay/checkOut', 'max_nights', `at most ${NIGHTS_MAX} nights`))
  }
  if (ahead < -1) errors.push(error('/stay/checkIn', 'past', 'must not be in the past'))
  if (ahead > AHEAD_DAYS_MAX) errors.push(tooFar('/stay/checkIn'))
  return errors
}

function occupancyErrors({ occupancy, rooms }: RequestedStay): FieldError[] {
  const errors: FieldError[] = []
  const { children, childrenAges } = occupancy
  if (childrenAges !== undefined && childrenAges.length !== children) {
    errors.push(error('/occupancy/childrenAges', 'count', 'one age per child'))
  }
  const requested = rooms?.reduce((sum, { quantity }) => sum + quantity, 0) ?? occupancy.rooms
  if (requested !== occupancy.rooms) {
    errors.push(error('/occupancy/rooms', 'count', 'differs from the rooms listed'))
  }
  return errors
}

function tooFar(pointer: string): FieldError {
  return error(pointer, 'too_far', `at most ${AHEAD_DAYS_MAX} days ahead`)
}

function error(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}
