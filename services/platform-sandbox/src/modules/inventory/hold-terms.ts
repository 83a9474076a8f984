import { isStay, nightsBetween, problem, type StayDates } from '@melmastoon/domain'

/** D11: the guest may start the minutes of a hold anew ten times at least, and not forever. */
export const EXTENSIONS_MAX = 12
/**
 * Active holds of one visit: enough for tabs next to each other, too few to empty a hotel
 * (HOLD-12).
 */
export const SESSION_HOLDS_MAX = 5
export const STAY_NIGHTS_MAX = 92
/** How far ahead rooms are sold; it bounds the rows of nights that a caller can bring about. */
export const HORIZON_DAYS = 550

/** The schema knows the form of a date; the thirtieth of February is found here. */
export function checkStay(stay: StayDates, nightsMax: number): StayDates {
  const { checkIn, checkOut } = stay
  if (!isStay(checkIn, checkOut) || nightsBetween(stay) > nightsMax) {
    throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
  }
  return { checkIn, checkOut }
}
