import { type Locale, pickLocalizedText, textFor } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { badgesOf, type CardOptions } from '../cards/write-card.ts'
import type { HotelDetailVM, PropertySummaryVM, RoomTypeSummaryVM } from './hotel-detail.ts'

export interface PropertyView extends CardOptions {}

type OwnPart = Pick<HotelDetailVM, 'property' | 'rooms' | 'amenities' | 'photos' | 'policies'>

/** Every member is named here: what an upstream adds does not get through. */
export function writeProperty(
  detail: PropertyDetail,
  listing: Listing | undefined,
  view: PropertyView,
): OwnPart {
  const { locale } = view
  const { amenities, photos, policies, roomTypes } = detail
  return {
    property: summaryOf(detail, listing, view),
    rooms: roomTypes.map((room) => roomOf(room, locale)),
    amenities: amenities.map(({ code, name }) => ({ code, name: pickLocalizedText(name) })),
    photos: photos.map(({ url, alt, isHero }) => ({ url, alt: textFor(alt, locale), isHero })),
    policies: {
      cancellation: textFor(policies.cancellation.text, locale),
      checkIn: policies.checkInTime,
      checkOut: policies.checkOutTime,
    },
  }
}

function summaryOf(
  detail: PropertyDetail,
  listing: Listing | undefined,
  view: PropertyView,
): PropertySummaryVM {
  const { starRating, guestRating, geo, address, shariaCompliant, openedOn } = detail
  const { line, nativeLine, neighbourhood, city, region, country } = address
  // Where it is served from only the projection knows; without it nothing is claimed.
  const deliveryRegion = listing?.deliveryRegion ?? view.region
  return {
    propertyId: detail.propertyId,
    tenantId: detail.tenantId,
    name: pickLocalizedText(detail.name),
    description: textFor(detail.description, view.locale),
    propertyType: detail.propertyType,
    ...(starRating !== undefined && { starRating }),
    ...(guestRating && { guestRating: { value: guestRating.value, count: guestRating.count } }),
    geo: { lat: geo.lat, lng: geo.lng },
    timeZone: detail.timeZone,
    address: {
      line,
      nativeLine,
      ...(neighbourhood !== undefined && { neighbourhood }),
      city: textFor(city.name, view.locale),
      region: textFor(region.name, view.locale),
      country,
    },
    badges: badgesOf({ deliveryRegion, shariaCompliant, openedOn }, view),
  }
}

function roomOf(room: PropertyDetail['roomTypes'][number], locale: Locale): RoomTypeSummaryVM {
  return {
    roomTypeId: room.roomTypeId,
    kind: room.kind,
    name: pickLocalizedText(room.name),
    adultsMax: room.adultsMax,
    childrenMax: room.childrenMax,
    occupancyMax: room.occupancyMax,
    sizeSqm: room.sizeSqm,
    beds: room.beds.map(({ kind, count }) => ({ kind, count })),
    photos: room.photos.map(({ url, alt }) => ({ url, alt: textFor(alt, locale) })),
  }
}
