import type { CurrencyCode, IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import type { ListingDocument } from '../listing-document.ts'
import type { RoomTypeNights } from './room-nights.ts'

/** Rows of the search tables as the index reads them; `seq` numbers the changes. */
export interface ListingRow {
  readonly seq: number
  readonly document: ListingDocument
  readonly isPublished: boolean
  readonly cheapest: { readonly amountMicro: number; readonly currency: CurrencyCode } | null
  readonly version: number
  /** The revision of the hotel's rates; newer ones have to be read. */
  readonly ratesRevision: number
}

export interface AvailabilityRow {
  readonly seq: number
  readonly propertyId: PropertyId
  readonly firstNight: IsoDate
  readonly roomsLeft: readonly number[]
  readonly roomsTotal: number
  readonly roomTypes: readonly RoomTypeNights[]
}

export interface PopularityRow {
  readonly seq: number
  readonly propertyId: PropertyId
  readonly baseScore: number
  readonly baseViewedLast1h: number
  readonly viewed1h: number
  readonly viewed7d: number
  /** Of the last day, and some older ones. */
  readonly bookedAt: readonly Date[]
  readonly fadedAt: Date
}

export interface TenantRow {
  readonly seq: number
  readonly tenantId: TenantId
  readonly isSuspended: boolean
}
