import type { DayNumber } from './day-number.ts'
import type { WorldStay } from './world.ts'

/** What becomes of a booking, drawn when it is made; on which day it shows is another matter. */
export type Fate = 'kept' | 'cancelled' | 'no_show'

export interface Planned {
  readonly checkIn: DayNumber
  readonly checkOut: DayNumber
  readonly fate: Fate
  /** Comes as soon as the room is free: already in the house on the day of arrival. */
  readonly isEarly: boolean
}

export function statusOn(today: DayNumber, stay: Planned): WorldStay['status'] {
  const { fate, checkIn, checkOut } = stay
  if (fate === 'cancelled') return 'cancelled'
  if (fate === 'no_show') return checkIn < today ? 'no_show' : 'confirmed'
  if (checkOut < today) return 'checked_out'
  if (checkIn < today) return 'in_house'
  return checkIn === today && stay.isEarly ? 'in_house' : 'confirmed'
}

/** Whether somebody at the desk has already said which room it is. */
export function hasRoom(today: DayNumber, stay: Planned): boolean {
  const status = statusOn(today, stay)
  return status === 'in_house' || (status === 'confirmed' && stay.checkIn === today)
}
