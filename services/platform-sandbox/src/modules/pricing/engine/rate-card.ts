import type {
  CurrencyCode,
  LocalizedText,
  PropertyId,
  RatePlanId,
  RoomTypeId,
  TenantId,
} from '@melmastoon/domain'
import type { Rules } from './compile-rules.ts'
import type { Day } from './day.ts'
import type { Micro } from './micro.ts'

export const RATE_CATEGORIES = [
  'bar',
  'non-refundable',
  'weekly',
  'corporate',
  'government',
] as const

export type RateCategory = (typeof RATE_CATEGORIES)[number]

export type Board = 'room_only' | 'breakfast' | 'half_board' | 'full_board'

export interface Restrictions {
  readonly minNights: number
  readonly maxNights: number
  readonly advanceDaysMin: number
  readonly closedToArrival: ReadonlySet<Day>
  readonly closedToDeparture: ReadonlySet<Day>
}

export interface Cancellation {
  readonly kind: 'free' | 'partial' | 'none'
  readonly freeUntilHours: number
  readonly penaltyBasisPoints: number
}

export interface Plan {
  readonly ratePlanId: RatePlanId
  readonly code: string
  readonly name: LocalizedText
  readonly category: RateCategory
  readonly version: number
  readonly restrictions: Restrictions
  readonly cancellation: Cancellation
  readonly board: Board
  /** Ascending by nights; the longest one reached applies. */
  readonly lengthOfStay: readonly { readonly minNights: number; readonly basisPoints: bigint }[]
  /** The surcharge for arrivals within this many days. */
  readonly lastMinute: { readonly withinDays: number; readonly basisPoints: number } | null
  readonly nightly: ReadonlyMap<RoomTypeId, Micro>
}

export interface Room {
  readonly roomTypeId: RoomTypeId
  /** Additional guests pay extra. */
  readonly adultsIncluded: number
  readonly adultsMax: number
  readonly childrenMax: number
}

/** All inputs of the prices of one hotel, at one revision. */
export interface RateCard {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly revision: number
  readonly currency: CurrencyCode
  readonly timeZone: string
  readonly rooms: readonly Room[]
  /** Published plans only. */
  readonly plans: readonly Plan[]
  readonly rules: Rules
}

/** Negotiated rates require their code. */
export function isPublic({ category }: Plan): boolean {
  return category !== 'corporate' && category !== 'government'
}
