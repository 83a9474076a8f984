import { addDays, daysBetween, type IsoDate, parseIsoDate } from '@melmastoon/domain'

/** Days since 1970-01-01, a Thursday. Arithmetic is cheaper than with dates. */
export type DayNumber = number

const EPOCH = parseIsoDate('1970-01-01')

export function toDayNumber(date: IsoDate): DayNumber {
  return daysBetween(EPOCH, date)
}

const dates = new Map<DayNumber, IsoDate>()
const DATES_MAX = 4_000

export function toDate(day: DayNumber): IsoDate {
  let date = dates.get(day)
  if (date === undefined) {
    date = addDays(EPOCH, day)
    if (dates.size < DATES_MAX) dates.set(day, date)
  }
  return date
}
