import type { IsoDate } from '@melmastoon/domain'

/** Amounts as digits: JSON has no bigint. */
type MicroText = string

/** Half-open like a stay: the night of `to` is not in the season. */
export interface Season {
  readonly code: string
  readonly from: IsoDate
  readonly to: IsoDate
  readonly basisPoints: number
}

/** Per night, for guests beyond those included in the price of a room. */
export interface Extras {
  readonly adultMicro: MicroText
  /** Ascending; the last band up to the age of a child applies. */
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
      /** Already included in the prices: shown, never added. */
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

/** The rules that hotels of one place, class and currency share. */
export interface RuleSet {
  /** The first season that covers a night applies. */
  readonly seasons: readonly Season[]
  /** Basis points from Sunday to Saturday, 10 000 for an ordinary night. */
  readonly weekdays: readonly number[]
  readonly extras: Extras
  /** Parties with a younger guest are not accepted; absent where all ages are. */
  readonly minGuestAge?: number
  readonly fees: readonly FeeRule[]
  /** In the order they are applied. */
  readonly taxes: readonly TaxRule[]
}
