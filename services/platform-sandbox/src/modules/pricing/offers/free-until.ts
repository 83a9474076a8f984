import { addDays, type IsoDate, instantIn } from '@melmastoon/domain'
import { dateOf } from '../engine/day.ts'
import type { Cancellation, Plan } from '../engine/rate-card.ts'
import type { OfferedStay } from './offered-stay.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const NOON = '12:00'
/** Searches ask for few dates, zones and terms at a time. */
const KNOWN_MAX = 2_000
const known = new Map<string, number>()

/**
 * The end of the free cancellation, or null when there is none: the terms count hours back from
 * noon of the arrival day, by the clocks of the hotel.
 */
export function freeUntilMs(
  { kind, freeUntilHours }: Cancellation,
  arrival: number,
  timeZone: string,
): number | null {
  if (kind === 'none') return null
  const key = `${timeZone} ${arrival} ${freeUntilHours}`
  const memo = known.get(key)
  if (memo !== undefined) return memo
  const untilMs = countBack(dateOf(arrival), freeUntilHours, timeZone)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(key, untilMs)
  return untilMs
}

/** Whole days by the calendar, so that a change of the clocks does not move the hour. */
function countBack(checkIn: IsoDate, hours: number, timeZone: string): number {
  const day = addDays(checkIn, -Math.floor(hours / DAY_HOURS))
  return Date.parse(instantIn(timeZone, day, NOON)) - (hours % DAY_HOURS) * HOUR_MS
}

interface At {
  readonly timeZone: string
  readonly nowMs: number
}

/** What a cancellation costs at this moment: nothing, a part of the price, or all of it. */
export function currentKind(
  cancellation: Cancellation,
  { arrival }: Pick<OfferedStay, 'arrival'>,
  { timeZone, nowMs }: At,
): Cancellation['kind'] {
  const untilMs = freeUntilMs(cancellation, arrival, timeZone)
  if (untilMs === null) return 'none'
  if (nowMs < untilMs) return 'free'
  return cancellation.penaltyBasisPoints < WHOLE ? 'partial' : 'none'
}

const WHOLE = 10_000
const KINDS = ['none', 'partial', 'free'] as const

/** As shown: terms whose free period has passed are not free. */
export function isFlexible({ cancellation }: Plan, stay: OfferedStay, at: At): boolean {
  const { flexibility } = stay
  if (flexibility === 'any') return true
  return KINDS.indexOf(currentKind(cancellation, stay, at)) >= KINDS.indexOf(flexibility)
}
