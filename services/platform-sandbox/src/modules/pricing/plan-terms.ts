import type { IsoDate } from '@melmastoon/domain'
import type { Board, Cancellation } from './engine/rate-card.ts'

/** The stored terms of a plan. */
export interface PlanTerms {
  readonly restrictions: {
    readonly minNights: number
    readonly maxNights: number
    readonly advanceDaysMin: number
    readonly closedToArrival: readonly IsoDate[]
    readonly closedToDeparture: readonly IsoDate[]
  }
  readonly cancellation: Cancellation
  /** Absent in plans of earlier versions. */
  readonly board?: Board
  readonly lengthOfStay: readonly { readonly minNights: number; readonly basisPoints: number }[]
  readonly lastMinute: { readonly withinDays: number; readonly basisPoints: number } | null
}
