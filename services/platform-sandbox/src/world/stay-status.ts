import type { DayNumber } from './day-number.ts'
import type { WorldStay } from './world.ts'

/** The outcome of a booking, drawn when it is generated; it takes effect on a later day. */
export type StayOutcome = 'arrives' | 'cancelled' | 'no_show'

export interface Planned {
  readonly checkIn: DayNumber
  readonly checkOut: DayNumber
  readonly outcome: StayOutcome
  /** Arrives early: already in house on the day of arrival. */
  readonly isEarly: boolean
}

export function statusOn(today: DayNumber, stay: Planned): WorldStay['status'] {
  const { outcome, checkIn, checkOut } = stay
  if (outcome === 'cancelled') return 'cancelled'
  if (outcome === 'no_show') return checkIn < today ? 'no_show' : 'confirmed'
  if (checkOut < today) return 'checked_out'
  if (checkIn < today) return 'in_house'
  return checkIn === today && stay.isEarly ? 'in_house' : 'confirmed'
}

const RECENT_DAYS = 30

/** Whether a room is assigned, or was until recently. */
export function hasRoom(today: DayNumber, stay: Planned): boolean {
  const status = statusOn(today, stay)
  if (status === 'checked_out') return stay.checkOut >= today - RECENT_DAYS
  return status === 'in_house' || (status === 'confirmed' && stay.checkIn === today)
}
