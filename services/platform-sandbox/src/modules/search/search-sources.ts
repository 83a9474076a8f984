import type { CurrencyCode, IsoDate, PropertyId, TenantId } from '@melmastoon/domain'
import type {
  ExchangeRates,
  OfferedDays,
  OfferedRooms,
  OfferRequest,
  RateCard,
  StayDaysRequest,
} from '../pricing/module.ts'
import type { RoomTypeNights } from './index/room-nights.ts'
import type { CheapestNight, ListingDocument } from './listing-document.ts'

export interface PropertyRef {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface NightRooms {
  readonly roomsTotal: number
  /** One number per night from `from`; `to` is excluded. */
  readonly roomsLeft: readonly number[]
  /** The same for each room type. */
  readonly roomTypes: readonly RoomTypeNights[]
}

export interface ListedRates {
  /** The lowest published price of one night, on any date. */
  readonly cheapest: CheapestNight | null
  /** Increases with every change of the rates. */
  readonly revision: number
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
  readRates(property: PropertyRef): Promise<ListedRates>
  readFxRates(): Promise<FxRates>
  /** The exchange rates of the prices shown; null while there are none. */
  readExchange(): Promise<ExchangeRates | null>
  /** All inputs of the prices of hotels; hotels without rates are omitted. */
  readRateCards(propertyIds: readonly PropertyId[]): Promise<readonly RateCard[]>
  readOffers(request: OfferRequest): Promise<OfferedRooms>
  readStayDays(request: StayDaysRequest): Promise<OfferedDays>
}
