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
