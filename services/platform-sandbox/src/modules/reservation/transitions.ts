import { problem } from '@melmastoon/domain'
import type { ReservationStatus } from '@melmastoon/upstream-contracts/reservation'

/** The allowed transitions of each status; all others are rejected. */
export const TRANSITIONS: Readonly<Record<ReservationStatus, readonly ReservationStatus[]>> = {
  quoted: ['held'],
  held: ['confirmed', 'cancelled', 'expired_hold'],
  confirmed: ['checked_in', 'cancelled', 'no_show'],
  checked_in: ['in_house'],
  in_house: ['checked_out'],
  checked_out: [],
  cancelled: [],
  no_show: [],
  // A payment may arrive after the hold has expired: then the rooms are taken again, or it is
  // rejected.
  expired_hold: ['confirmed'],
}

export function mayMove(from: ReservationStatus, to: ReservationStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

export function checkMove(from: ReservationStatus, to: ReservationStatus): void {
  if (!mayMove(from, to)) throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
}
