import { problem } from '@melmastoon/domain'
import {
  RESERVATION_MOVES,
  type ReservationStatus,
} from '@melmastoon/upstream-contracts/reservation'

export function mayMove(from: ReservationStatus, to: ReservationStatus): boolean {
  return RESERVATION_MOVES[from].includes(to)
}

export function checkMove(from: ReservationStatus, to: ReservationStatus): void {
  if (!mayMove(from, to)) throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
}
