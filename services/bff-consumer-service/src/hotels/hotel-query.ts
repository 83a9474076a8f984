import { type Occupancy, readOccupancy, readStay, StayQuery } from '@melmastoon/bff/stays'
import {
  addDays,
  type CurrencyCode,
  fieldError,
  type Locale,
  type PropertyId,
  type StayDates,
  throwIfInvalid,
  todayIn,
  validateOccupancy,
} from '@melmastoon/domain'
import { text } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

/** Unsupported locales and currencies have error codes of their own. */
export const HotelQuery = Type.Object({
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
  ...StayQuery.properties,
})

export type HotelQuery = Static<typeof HotelQuery>

interface Preferences {
  readonly locale: Locale
  readonly currency: CurrencyCode
}

/** A normalized request for a hotel page or its price. */
export interface HotelRequest extends Preferences {
  readonly propertyId: PropertyId
  /** Undefined for the default stay, which depends on the date at the hotel. */
  readonly stay: StayDates | undefined
  readonly occupancy: Occupancy
}

export interface HotelRequestInput {
  readonly propertyId: PropertyId
  readonly query: HotelQuery
  /** From the URL or from headers, never from a session: CDNs cache the response (D5). */
  readonly preferences: Preferences
}

const keys = new WeakMap<HotelRequest, string>()

/** Equal for equal requests. */
export function keyOfHotel(request: HotelRequest): string {
  const known = keys.get(request)
  if (known !== undefined) return known
  const { propertyId, locale, currency, stay, occupancy } = request
  const key = JSON.stringify([propertyId, locale, currency, stay, occupancy])
  keys.set(request, key)
  return key
}

/** @throws Problem VALIDATION_FAILED with a pointer to each invalid parameter. */
export function planHotel(
  { propertyId, query, preferences }: HotelRequestInput,
  now: Date,
): HotelRequest {
  const occupancy = readOccupancy(query)
  const stay = readStay(query, now)?.stay
  throwIfInvalid(validateOccupancy(occupancy, '/query'))
  return { propertyId, ...preferences, stay, occupancy }
}

/**
 * The requested stay, or one night from tomorrow on at the hotel: tonight may be over there, while
 * every hotel can sell tomorrow.
 * @throws Problem VALIDATION_FAILED when the check-in is in the past at the hotel.
 */
export function chooseStay(
  requested: StayDates | undefined,
  timeZone: string,
  now: Date,
): StayDates {
  const today = todayIn(timeZone, now)
  if (requested === undefined) return { checkIn: addDays(today, 1), checkOut: addDays(today, 2) }
  if (requested.checkIn < today) {
    const detail = 'must not be in the past at the hotel'
    throwIfInvalid([fieldError('/query/checkIn', 'past', detail)])
  }
  return requested
}
