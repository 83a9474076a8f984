import type { Party } from '../engine/stay-request.ts'

/** A stay for which offers are sought. */
export interface OfferedStay {
  readonly arrival: number
  readonly nights: number
  readonly party: Party
  /** The number of rooms, all of one type. */
  readonly quantity: number
  /** Offers whose cancellation costs more at this moment are not considered. */
  readonly flexibility: 'free' | 'partial' | 'any'
  /** Scales all nightly prices, 10 000 leaves them unchanged: for scenarios. */
  readonly marketBasisPoints?: number
}

/** The present at a hotel. */
export interface HotelTime {
  /** The local date. */
  readonly today: number
  readonly nowMs: number
}
