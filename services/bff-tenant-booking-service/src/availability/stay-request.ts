import { type RequestedStay, readOccupancy, type StayQuery } from '@melmastoon/bff/stays'
import {
  fieldError,
  type IsoDate,
  type StayDates,
  throwIfInvalid,
  todayIn,
  validateOccupancy,
  validateStayDates,
} from '@melmastoon/domain'

const AT = '/query'

/** @throws Problem VALIDATION_FAILED with a pointer to each invalid parameter. */
export function readStayQuery(
  query: StayQuery & { readonly checkIn: IsoDate; readonly checkOut: IsoDate },
  now: Date,
): RequestedStay {
  const stay = { checkIn: query.checkIn, checkOut: query.checkOut }
  const occupancy = readOccupancy(query)
  throwIfInvalid([...validateStayDates(stay, now, AT), ...validateOccupancy(occupancy, AT)])
  return { stay, occupancy }
}

/** Which dates are valid changes at midnight and at noon (UTC), never within an hour. */
const HOUR_MS = 3_600_000

type Query = Parameters<typeof readStayQuery>[0]

/** For queries that are the same object whenever they are equal: each is read once an hour. */
export function memoizeStayQueries(): (query: Query, nowMs: number) => RequestedStay {
  const known = new WeakMap<Query, { readonly hour: number; readonly stay: RequestedStay }>()
  return (query, nowMs) => {
    const hour = Math.floor(nowMs / HOUR_MS)
    const seen = known.get(query)
    if (seen?.hour === hour) return seen.stay
    const stay = readStayQuery(query, new Date(nowMs))
    known.set(query, { hour, stay })
    return stay
  }
}

export interface Arrival {
  readonly stay: StayDates
  /** Of the hotel. */
  readonly timeZone: string
  readonly now: Date
  /** JSON pointer to the object that has the dates. */
  readonly at?: string
}

/** The arrival day is not over where the hotel is (HOLD-14). @throws Problem VALIDATION_FAILED */
export function checkArrival({ stay, timeZone, now, at = AT }: Arrival): void {
  if (stay.checkIn >= todayIn(timeZone, now)) return
  throwIfInvalid([fieldError(`${at}/checkIn`, 'past', 'must not be in the past at the hotel')])
}
