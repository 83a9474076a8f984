import { type Locale, pickLocalizedText, textFor } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { badgesOf, type CardOptions, neighbourhoodOf } from '../cards/write-card.ts'
import { writePicture } from '../cards/write-picture.ts'
import type {
  HotelDetailVM,
  PropertySummaryVM,
  ReviewsVM,
  RoomTypeSummaryVM,
} from './hotel-detail.ts'
import { policiesIn } from './hotel-policies.ts'

type PropertyFields = Pick<
  HotelDetailVM,
  'property' | 'rooms' | 'amenities' | 'photos' | 'policies' | 'reviews'
>

/** Every member is named: undeclared members of an upstream response are dropped. */
export function propertyFields(
  detail: PropertyDetail,
  listing: Listing | undefined,
  options: CardOptions,
): PropertyFields {
  const { locale } = options
  const { amenities, photos, policies, roomTypes, reviews } = detail
  return {
    property: summaryOf(detail, listing, options),
    rooms: roomTypes.map((room) => roomOf(room, locale)),
    amenities: amenities.map(({ code, name }) => ({ code, name: pickLocalizedText(name) })),
    photos: photos.map((photo) => ({ ...photoOf(photo, locale), isHero: photo.isHero })),
    policies: policiesIn(policies, locale),
    ...(reviews && { reviews: reviewsOf(reviews, locale) }),
  }
}

function reviewsOf(reviews: NonNullable<PropertyDetail['reviews']>, locale: Locale): ReviewsVM {
  const { count, scores, items } = reviews
  return {
    count,
    scores: scores.map(({ aspect, value }) => ({ aspect, value })),
    items: items.map(({ author, rating, stayedIn, travellers, language, text }) => {
      return { author, rating, stayedIn, travellers, language, text: textFor(text, locale) }
    }),
  }
}

function summaryOf(
  detail: PropertyDetail,
  listing: Listing | undefined,
  options: CardOptions,
): PropertySummaryVM {
  const { starRating, guestRating, geo, address, shariaCompliant, openedOn } = detail
  const { nativeLine, city, region, country } = address
  // Only the projection knows the delivery region; without it there is no badge.
  const deliveryRegion = listing?.deliveryRegion ?? options.region
  return {
    propertyId: detail.propertyId,
    tenantId: detail.tenantId,
    name: pickLocalizedText(detail.name),
    description: textFor(detail.description, options.locale),
    propertyType: detail.propertyType,
    ...(starRating !== undefined && { starRating }),
    ...(guestRating && { guestRating: { value: guestRating.value, count: guestRating.count } }),
    geo: { lat: geo.lat, lng: geo.lng },
    timeZone: detail.timeZone,
    address: {
      line: addressLineOf(address, options.locale),
      nativeLine,
      ...neighbourhoodOf(address, options.locale),
      city: textFor(city.name, options.locale),
      region: textFor(region.name, options.locale),
      country,
    },
    badges: badgesOf({ deliveryRegion, shariaCompliant, openedOn }, options),
  }
}

/** In the requested language, if there is a translation. */
export function addressLineOf(
  { line, localizedLine }: PropertyDetail['address'],
  locale: Locale,
): string {
  return localizedLine === undefined ? line : textFor(localizedLine, locale)
}

export function roomOf(
  room: PropertyDetail['roomTypes'][number],
  locale: Locale,
): RoomTypeSummaryVM {
  return {
    roomTypeId: room.roomTypeId,
    kind: room.kind,
    name: pickLocalizedText(room.name),
    adultsMax: room.adultsMax,
    childrenMax: room.childrenMax,
    occupancyMax: room.occupancyMax,
    sizeSqm: room.sizeSqm,
    beds: room.beds.map(({ kind, count }) => ({ kind, count })),
    photos: room.photos.map((photo) => photoOf(photo, locale)),
  }
}

function photoOf(photo: PropertyDetail['photos'][number], locale: Locale) {
  const { category } = photo
  return { ...writePicture(photo, locale), ...(category !== undefined && { category }) }
}
