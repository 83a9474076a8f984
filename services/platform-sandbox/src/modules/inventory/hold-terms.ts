import { isStay, nightsBetween, problem, type StayDates } from '@melmastoon/domain'

/** D11: the guest may extend a hold at least ten times, but not without limit. */
export const EXTENSIONS_MAX = 12
/** Active holds per session: enough for several tabs, too few to empty a hotel (HOLD-12). */
export const SESSION_HOLDS_MAX = 5
export const STAY_NIGHTS_MAX = 92
/** How far ahead rooms are sold; limits the number of night rows that callers can create. */
export const HORIZON_DAYS = 550

/** The schema checks the format of a date; this rejects dates such as 30 February. */
export function checkStay(stay: StayDates, nightsMax: number): StayDates {
  const { checkIn, checkOut } = stay
  if (!isStay(checkIn, checkOut) || nightsBetween(stay) > nightsMax) {
    throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
  }
  return { checkIn, checkOut }
}
