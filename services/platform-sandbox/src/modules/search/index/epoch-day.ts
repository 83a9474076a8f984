import type { IsoDate } from '@melmastoon/domain'

const DAY_MS = 86_400_000

/** Calendar days as integers, used as array positions of nights. */
export function toEpochDay(date: IsoDate): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

export function fromEpochDay(day: number): IsoDate {
  return new Date(day * DAY_MS).toISOString().slice(0, 10) as IsoDate
}
