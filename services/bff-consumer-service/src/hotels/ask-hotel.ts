import { readOccupancy, readStay } from '@melmastoon/bff/stays'
import { type PropertyId, problem, validateOccupancy } from '@melmastoon/domain'
import type { Preferences } from '../sessions/choose-preferences.ts'
import type { HotelQuery, HotelQuestion } from './hotel-query.ts'

export interface HotelAsked {
  readonly propertyId: PropertyId
  readonly query: HotelQuery
  /**
   * Of the address or of headers. What a session remembers has no say here: CDNs keep the answer,
   * and they know no cookie (D5).
   */
  readonly preferences: Preferences
}

/** @throws Problem VALIDATION_FAILED with a pointer to each parameter that contradicts another. */
export function askHotel({ propertyId, query, preferences }: HotelAsked, now: Date): HotelQuestion {
  const occupancy = readOccupancy(query)
  const stay = readStay(query, now)?.stay
  const errors = validateOccupancy(occupancy, '/query')
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
  return { propertyId, ...preferences, stay, occupancy }
}
