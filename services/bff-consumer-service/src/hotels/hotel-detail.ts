import { Section } from '@melmastoon/bff/sections'
import {
  currency,
  Geo,
  id,
  isoDate,
  LocalizedString,
  Occupancy,
  PictureSize,
  Stay,
} from '@melmastoon/upstream-contracts'
import {
  BED_KINDS,
  PHOTO_CATEGORIES,
  PROPERTY_TYPES,
  REVIEW_ASPECTS,
  ROOM_KINDS,
  TRAVELLERS,
} from '@melmastoon/upstream-contracts/property'
import { type Static, Type } from 'typebox'
import { BrandPeekVM } from '../brands/brand-peek.ts'
import { BADGES, BADGES_DESCRIPTION, ListingCardVM } from '../cards/listing-card.ts'
import { StayAvailabilityVM } from '../rates/offer-terms.ts'
import { RateSnapshotVM } from '../rates/rate-snapshot.ts'
import { HotelPoliciesVM } from './hotel-policies.ts'

/** Names are in all languages; every other text is in the requested one. */
export const PropertySummaryVM = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  name: LocalizedString,
  description: Type.String(),
  propertyType: Type.Enum([...PROPERTY_TYPES]),
  starRating: Type.Optional(Type.Integer()),
  guestRating: Type.Optional(Type.Object({ value: Type.Number(), count: Type.Integer() })),
  geo: Geo,
  timeZone: Type.String({ description: 'IANA name; the days of `stay` are days there' }),
  address: Type.Object({
    line: Type.String({ description: 'In the language of the response' }),
    nativeLine: Type.String({ description: 'In the script of the country, for taxi drivers' }),
    neighbourhood: Type.Optional(
      Type.String({ description: 'In the language of the response, if there is a translation' }),
    ),
    city: Type.String(),
    region: Type.String(),
    country: Type.String(),
  }),
  badges: Type.Array(Type.Enum([...BADGES]), { description: BADGES_DESCRIPTION }),
})

export type PropertySummaryVM = Static<typeof PropertySummaryVM>

const Picture = {
  url: Type.String(),
  alt: Type.String(),
  ...PictureSize,
  category: Type.Optional(Type.Enum([...PHOTO_CATEGORIES])),
}

export const RoomTypeSummaryVM = Type.Object({
  roomTypeId: id('rmt'),
  kind: Type.Enum([...ROOM_KINDS]),
  name: LocalizedString,
  adultsMax: Type.Integer(),
  childrenMax: Type.Integer(),
  occupancyMax: Type.Integer(),
  sizeSqm: Type.Integer(),
  beds: Type.Array(Type.Object({ kind: Type.Enum([...BED_KINDS]), count: Type.Integer() })),
  photos: Type.Array(Type.Object(Picture)),
})

export type RoomTypeSummaryVM = Static<typeof RoomTypeSummaryVM>

/** What guests wrote, in the requested language. */
export const ReviewsVM = Type.Object({
  count: Type.Integer({ description: 'The number of ratings; not all of them have a text' }),
  scores: Type.Array(
    Type.Object({
      aspect: Type.Enum([...REVIEW_ASPECTS]),
      value: Type.Number({ description: 'The mean rating of the aspect, up to 10' }),
    }),
  ),
  items: Type.Array(
    Type.Object({
      author: Type.String(),
      rating: Type.Number({ description: 'Up to 10' }),
      stayedIn: Type.String({ description: 'Year and month, `2026-05`' }),
      travellers: Type.Enum([...TRAVELLERS]),
      language: Type.String({ description: 'In which the text was written' }),
      text: Type.String({ description: 'In the requested language' }),
    }),
    { description: 'The newest ones' },
  ),
})

export type ReviewsVM = Static<typeof ReviewsVM>

const AmenityVM = Type.Object({ code: Type.String(), name: LocalizedString })

export const CALENDAR_DAYS = 7
const SIMILAR_MAX = 4

/** The price of one night from each day on; days without a price are omitted. */
export const PriceCalendar = Type.Array(
  Type.Object({ date: isoDate(), cheapestMinor: Type.Integer(), currency: currency() }),
  { maxItems: CALENDAR_DAYS },
)

export type PriceCalendar = Static<typeof PriceCalendar>

/** Domain model §4.2. */
export const HotelDetailVM = Type.Object({
  property: PropertySummaryVM,
  rooms: Type.Array(RoomTypeSummaryVM),
  amenities: Type.Array(AmenityVM),
  photos: Type.Array(Type.Object({ ...Picture, isHero: Type.Boolean() })),
  policies: HotelPoliciesVM,
  reviews: Type.Optional(ReviewsVM),
  brandPeek: BrandPeekVM,
  /** Of the priced stay; absent while prices are missing. */
  availability: Type.Optional(StayAvailabilityVM),
  /** Absent unless the stay can be booked. */
  cheapestRateSnapshot: Type.Optional(RateSnapshotVM),
  priceCalendarPreview: Type.Optional(PriceCalendar),
  similarProperties: Type.Optional(Type.Array(ListingCardVM, { maxItems: SIMILAR_MAX })),
  popularitySignals: Type.Optional(
    Type.Object({ bookedLast24h: Type.Integer(), viewedLast1h: Type.Integer() }),
  ),
  handoffHint: Type.Object({
    url: Type.String({
      description: 'Where a booking link is created by POST; the page contains none',
    }),
    ttlSeconds: Type.Integer(),
  }),
})

export type HotelDetailVM = Static<typeof HotelDetailVM>

/** The priced stay: as requested, or by default two adults for tomorrow at the hotel. */
const Priced = { stay: Stay, occupancy: Occupancy }

/** Shared by all guests: it contains nothing about the caller (D5). */
export const HotelPage = Type.Object({
  sections: Type.Object({
    property: Section,
    /** Of `similarProperties` and `popularitySignals`. */
    similar: Section,
    prices: Section,
    /** Of the hotel and of similar hotels. */
    brand: Section,
  }),
  degraded: Type.Boolean({ description: 'At least one section is stale or missing' }),
  ...Priced,
  ...HotelDetailVM.properties,
})

export type HotelPage = Static<typeof HotelPage>

/** The price alone, with its age (D6). */
export const HotelPriceVM = Type.Object({
  propertyId: id('ppt'),
  ...Priced,
  sections: Type.Object({ prices: Section }),
  degraded: HotelPage.properties.degraded,
  availability: HotelDetailVM.properties.availability,
  cheapestRateSnapshot: HotelDetailVM.properties.cheapestRateSnapshot,
  priceCalendarPreview: HotelDetailVM.properties.priceCalendarPreview,
})

export type HotelPriceVM = Static<typeof HotelPriceVM>
