import { problem } from '@melmastoon/domain'
import type { ReservationStatus } from '@melmastoon/upstream-contracts/reservation'

/** Where each status may lead; everything else is rejected. */
export const TRANSITIONS: Readonly<Record<ReservationStatus, readonly ReservationStatus[]>> = {
  quoted: ['held'],
  held: ['confirmed', 'cancelled', 'expired_hold'],
  confirmed: ['checked_in', 'cancelled', 'no_show'],
  checked_in: ['in_house'],
  in_house: ['checked_out'],
  checked_out: [],
  cancelled: [],
  no_show: [],
  // A payment may come after the hold has expired: then the rooms are taken anew, or it is
  // rejected.
  expired_hold: ['confirmed'],
}

export function mayMove(from: ReservationStatus, to: ReservationStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

export function checkMove(from: ReservationStatus, to: ReservationStatus): void {
  if (!mayMove(from, to)) throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
}
