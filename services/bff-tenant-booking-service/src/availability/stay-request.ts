import { type RequestedStay, readOccupancy, type StayQuery } from '@melmastoon/bff/stays'
import {
  type IsoDate,
  throwIfInvalid,
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
