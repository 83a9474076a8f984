import { addDays, fieldError, problem, type StayDates, todayIn } from '@melmastoon/domain'

/**
 * The stay that was asked for, or one night from the hotel's tomorrow on: tonight is over in some
 * places, and every hotel can sell tomorrow.
 * @throws Problem VALIDATION_FAILED when the day of arrival is over at the hotel.
 */
export function chooseStay(asked: StayDates | undefined, timeZone: string, now: Date): StayDates {
  const today = todayIn(timeZone, now)
  if (asked === undefined) return { checkIn: addDays(today, 1), checkOut: addDays(today, 2) }
  if (asked.checkIn >= today) return asked
  const errors = [fieldError('/query/checkIn', 'past', 'is over at the hotel')]
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
