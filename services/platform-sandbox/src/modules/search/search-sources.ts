import type { CurrencyCode, IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import type { CheapestNight, ListingDocument } from './listing-document.ts'

export interface PropertyRef {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface NightRooms {
  readonly roomsTotal: number
  /** One number per night from `from` on, `to` excluded. */
  readonly roomsLeft: readonly number[]
}

/** Units of each currency for one US dollar, in millionths. */
export type FxRates = Readonly<Record<CurrencyCode, bigint>>

/**
 * What the projection reads of the other modules when an event says that something changed. An
 * event carries no content: whatever order events come in, the last read is the newest.
 */
export interface SearchSources {
  /** Null when the hotel is not, or no longer, on show. */
  readListing(property: PropertyRef): Promise<ListingDocument | null>
  readAvailability(property: PropertyRef, from: IsoDate, to: IsoDate): Promise<NightRooms>
  /** The lowest published price of one night, whatever the date. */
  readCheapest(property: PropertyRef): Promise<CheapestNight | null>
  readFxRates(): Promise<FxRates>
}
