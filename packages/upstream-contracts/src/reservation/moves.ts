export const RESERVATION_STATUSES = [
  'quoted',
  'held',
  'confirmed',
  'checked_in',
  'in_house',
  'checked_out',
  'cancelled',
  'no_show',
  'expired_hold',
] as const

export type ReservationStatus = (typeof RESERVATION_STATUSES)[number]

/** The allowed transitions of each status; all others are rejected. */
export const RESERVATION_MOVES: Readonly<Record<ReservationStatus, readonly ReservationStatus[]>> =
  {
    quoted: ['held'],
    held: ['confirmed', 'cancelled', 'expired_hold'],
    confirmed: ['checked_in', 'cancelled', 'no_show'],
    // Guests may leave on the day of their arrival.
    checked_in: ['in_house', 'checked_out'],
    in_house: ['checked_out'],
    checked_out: [],
    cancelled: [],
    no_show: [],
    // A payment may arrive after the hold has expired: then the rooms are taken again, or it is
    // rejected. A cancellation rules out a confirmation that is still under way.
    expired_hold: ['confirmed', 'cancelled'],
  }
