import { addDays, daysBetween, type IsoDate, parseIsoDate } from '@melmastoon/domain'

/** Days since 1970-01-01: nights are counted and compared as integers. */
export type Day = number

const EPOCH = parseIsoDate('1970-01-01')
/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = 4

export function dayOf(date: IsoDate): Day {
  return daysBetween(EPOCH, date)
}

export function dateOf(day: Day): IsoDate {
  return addDays(EPOCH, day)
}

/** Sunday is 0. */
export function weekdayOf(day: Day): number {
  return (((day + EPOCH_WEEKDAY) % 7) + 7) % 7
}
