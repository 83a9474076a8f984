import type { IsoDate } from '@melmastoon/domain'

/** Amounts as digits: JSON has no bigint. */
type MicroText = string

/** Half-open like a stay: the night of `to` is no longer in the season. */
export interface Season {
  readonly code: string
  readonly from: IsoDate
  readonly to: IsoDate
  readonly basisPoints: number
}

/** Per night, for guests beyond those a room's price includes. */
export interface Extras {
  readonly adultMicro: MicroText
  /** Ascending; a child pays the last band it is old enough for. */
  readonly children: readonly { readonly fromAge: number; readonly micro: MicroText }[]
}

export interface FeeRule {
  readonly code: string
  /** Once per room, or for every night of every room. */
  readonly per: 'room' | 'room-night'
  readonly micro: MicroText
  readonly isTaxed: boolean
}

export type TaxRule =
  | {
      readonly kind: 'percent'
      readonly code: string
      readonly basisPoints: number
      /** Already within the prices: shown, never added. */
      readonly isIncluded: boolean
      /** Also taxes the added taxes listed before it. */
      readonly isCompound: boolean
    }
  | { readonly kind: 'room-night'; readonly code: string; readonly micro: MicroText }
  | {
      readonly kind: 'person-night'
      readonly code: string
      readonly micro: MicroText
      readonly fromAge: number
      readonly maxNights: number
    }

/** What hotels of one place, class and currency have in common. */
export interface RuleSet {
  /** The first that covers a night decides. */
  readonly seasons: readonly Season[]
  /** Basis points from Sunday to Saturday, 10 000 for an ordinary night. */
  readonly weekdays: readonly number[]
  readonly extras: Extras
  readonly fees: readonly FeeRule[]
  /** In the order they are applied. */
  readonly taxes: readonly TaxRule[]
}
