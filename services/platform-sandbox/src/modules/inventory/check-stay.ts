import { isStay, nightsBetween, problem, type StayDates } from '@melmastoon/domain'

/** The schema knows the form of a date; the thirtieth of February is found here. */
export function checkStay(stay: StayDates, nightsMax: number): StayDates {
  const { checkIn, checkOut } = stay
  if (!isStay(checkIn, checkOut) || nightsBetween(stay) > nightsMax) {
    throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
  }
  return { checkIn, checkOut }
}
