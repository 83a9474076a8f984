import type { CurrencyCode, IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import type { CheapestNight, ListingDocument } from './listing-document.ts'

export interface PropertyRef {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface NightRooms {
  readonly roomsTotal: number
  /** One number per night from `from`; `to` is excluded. */
  readonly roomsLeft: readonly number[]
}

/** Units of each currency for one US dollar, in millionths. */
export type FxRates = Readonly<Record<CurrencyCode, bigint>>

/**
 * What the index reads from the other modules after a change event. Events carry no content, so in
 * any order of events the last read is the newest.
 */
export interface SearchSources {
  /** Null when the hotel is not published. */
  readListing(property: PropertyRef): Promise<ListingDocument | null>
  readAvailability(property: PropertyRef, from: IsoDate, to: IsoDate): Promise<NightRooms>
  /** The lowest published price of one night, on any date. */
  readCheapest(property: PropertyRef): Promise<CheapestNight | null>
  readFxRates(): Promise<FxRates>
}
