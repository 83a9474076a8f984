import { addDays, parseIsoDate } from '@melmastoon/domain'
import type { VariedPaths } from '../warm-page/cold-variant.ts'
import type { Query } from './queries.ts'

const DAYS = 300
const NIGHTS_MAX = 20
const ADULTS_MAX = 20
const CALENDAR_DAYS = 200
const CALENDAR_NIGHTS_MIN = 60
const CALENDAR_NIGHTS_MAX = 92

const ADULTS = count(1, ADULTS_MAX).map((adults) => `&adults=${adults}`)

/** The path with another stay and another number of guests for every request. */
export function variedStays(path: string, { dates }: Query): VariedPaths {
  const stays = count(1, NIGHTS_MAX).flatMap((nights) =>
    count(1, DAYS).map((day) => {
      const checkIn = addDays(parseIsoDate(dates.checkIn), day)
      return `&checkIn=${checkIn}&checkOut=${addDays(checkIn, nights)}`
    }),
  )
  return { base: path.split('&checkIn=')[0] ?? '', parts: [stays, ADULTS] }
}

/** The path with other days of a calendar for every request. */
export function variedCalendars(path: string, { dates }: Query): VariedPaths {
  const first = parseIsoDate(dates.checkIn)
  const days = count(1, CALENDAR_DAYS).map((day) => `&from=${addDays(first, day)}`)
  const nights = count(CALENDAR_NIGHTS_MIN, CALENDAR_NIGHTS_MAX).map((each) => `&nights=${each}`)
  return { base: path.split('&from=')[0] ?? '', parts: [days, nights, ADULTS] }
}

function count(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
