import { type IsoDate, type IsoDateTime, instantIn, toIsoDateTime } from '@melmastoon/domain'

/** Guests still open their door while they carry out their luggage. */
const GRACE_MS = 30 * 60_000

export interface StayTimes {
  readonly checkIn: IsoDate
  readonly checkOut: IsoDate
  readonly timeZone: string
  readonly checkInTime: string
  readonly checkOutTime: string
  /** The guests are in the hotel, perhaps before the time of check-in. */
  readonly isInHouse: boolean
}

/** From check-in until 30 minutes after check-out, as the clocks at the hotel show them. */
export function validityOf(
  stay: StayTimes,
  now: Date,
): { readonly validFrom: IsoDateTime; readonly validUntil: IsoDateTime } {
  const { timeZone } = stay
  const planned = Date.parse(instantIn(timeZone, stay.checkIn, stay.checkInTime))
  const from = stay.isInHouse ? Math.min(planned, now.getTime()) : planned
  const until = Date.parse(instantIn(timeZone, stay.checkOut, stay.checkOutTime)) + GRACE_MS
  return { validFrom: toIsoDateTime(new Date(from)), validUntil: toIsoDateTime(new Date(until)) }
}
