import { todayIn } from '@melmastoon/domain'
import { type Day, dayOf } from './engine/day.ts'

const MINUTE_MS = 60_000
/** IANA lists about 600 zones. */
const ZONES_MAX = 700
const days = new Map<string, { minute: number; day: Day }>()

/** Time zone offsets are whole minutes, so the local date cannot change within a minute. */
export function hotelDay(timeZone: string, nowMs: number): Day {
  const minute = Math.floor(nowMs / MINUTE_MS)
  const known = days.get(timeZone)
  if (known?.minute === minute) return known.day
  const day = dayOf(todayIn(timeZone, new Date(nowMs)))
  if (days.size >= ZONES_MAX) days.clear()
  days.set(timeZone, { minute, day })
  return day
}
