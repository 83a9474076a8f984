import type { CurrencyCode, IsoDate, PropertyId, RoomTypeId, TenantId } from '@melmastoon/domain'
import type { PaymentMethod } from '@melmastoon/upstream-contracts/offers'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { thumbnailSizes } from '../../drawings/photo-sources.ts'

type Text = Listing['name']

/** All data of a hotel in the index; `Listing` is the displayed part. */
export interface ListingDocument {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
  readonly tenantSlug: string
  readonly name: Text
  readonly city: string
  readonly region: string
  readonly country: string
  readonly neighbourhood: string | null
  readonly geo: { readonly lat: number; readonly lng: number }
  /** Relative to the public URL of the photo server. */
  readonly photoPath: string
  readonly propertyType: string
  readonly starRating: number | null
  readonly guestRating: { readonly value: number; readonly count: number } | null
  /** Most relevant first: the first five are shown with the listing. */
  readonly amenities: readonly string[]
  readonly cancellationFlexibility: 'free' | 'partial' | 'none'
  readonly shariaCompliant: boolean
  readonly openedOn: IsoDate
  readonly deliveryRegion: string
  readonly timeZone: string
  /** In the order of the hotel. */
  readonly roomTypes: readonly ListedRoomType[]
  /** Empty while the hotel takes no payments; in the order of the hotel. */
  readonly paymentMethods: readonly PaymentMethod[]
}

export interface ListedRoomType extends RoomCapacity {
  readonly roomTypeId: RoomTypeId
  readonly name: Text
}

export interface RoomCapacity {
  readonly adultsMax: number
  readonly childrenMax: number
  /** The number of rooms of this kind. */
  readonly rooms: number
}

export interface CheapestNight {
  readonly amountMicro: number
  readonly currency: CurrencyCode
}

const HIGHLIGHTS_MAX = 5

export function toListing(
  document: ListingDocument,
  shown: { cityName: Text; neighbourhoodName: Text | undefined; publicUrl: string },
): Listing {
  const { neighbourhood, starRating, guestRating } = document
  return {
    propertyId: document.propertyId,
    tenantId: document.tenantId,
    tenantSlug: document.tenantSlug,
    name: document.name,
    city: document.city,
    region: document.region,
    cityName: shown.cityName,
    country: document.country,
    ...(neighbourhood !== null && { neighbourhood }),
    ...(shown.neighbourhoodName && { neighbourhoodName: shown.neighbourhoodName }),
    geo: document.geo,
    timeZone: document.timeZone,
    thumbnail: thumbnailOf(document, shown.publicUrl),
    propertyType: document.propertyType,
    ...(starRating !== null && { starRating }),
    ...(guestRating !== null && { guestRating }),
    amenityHighlights: document.amenities.slice(0, HIGHLIGHTS_MAX),
    cancellationFlexibility: document.cancellationFlexibility,
    shariaCompliant: document.shariaCompliant,
    openedOn: document.openedOn,
    deliveryRegion: document.deliveryRegion,
  }
}

function thumbnailOf({ photoPath, name }: ListingDocument, publicUrl: string) {
  const url = publicUrl + photoPath
  return { url, alt: name, ...(photoPath !== '' && thumbnailSizes(url)) }
}
