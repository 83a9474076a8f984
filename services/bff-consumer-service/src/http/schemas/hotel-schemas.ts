import { Section } from '@melmastoon/bff/sections'
import { Occupancy as PartyOccupancy } from '@melmastoon/bff/stays'
import type { SchemaNote } from '@melmastoon/chassis/http'
import { LocalizedString, Occupancy, PictureSize, Stay } from '@melmastoon/upstream-contracts'
import { HotelAvailability } from '../../availability/read-availability.ts'
import { BrandPeekVM } from '../../brands/brand-peek.ts'
import { HotelCalendarVM } from '../../calendar/hotel-calendar.ts'
import { CardSections, ListingCardVM } from '../../cards/listing-card.ts'
import { ComparisonVM } from '../../compare/comparison.ts'
import {
  HotelDetailVM,
  HotelPage,
  HotelPriceVM,
  PriceCalendar,
  PropertySummaryVM,
  ReviewsVM,
  RoomTypeSummaryVM,
} from '../../hotels/hotel-detail.ts'
import { HotelPoliciesVM } from '../../hotels/hotel-policies.ts'
import { HotelOffersVM } from '../../offers/hotel-offers.ts'

const { houseRules, details } = HotelPoliciesVM.properties
const { hotels, amenities, missing } = ComparisonVM.properties
const { facts } = hotels.items.properties

/** Named in the code, because offers and calendars use them as well. */
const priceSchemas = {
  StayAvailability: { description: 'Whether a stay can be booked, or why not' },
  CancellationTerms: { description: 'Until when a cancellation costs nothing, and the penalty' },
  PaymentTerms: { description: 'When the stay is paid' },
  Charge: {
    description: 'A tax or fee',
    properties: { kind: 'A tax of the state, or a fee of the hotel' },
  },
  PriceLine: {
    description: 'A part of a price, as in a quote of the booking site',
    properties: { kind: 'What it is for' },
  },
  RateCapture: { description: 'When prices were captured, and how they were converted' },
  RateSnapshot: {
    description: 'The price of a stay with its terms',
    properties: { offer: 'What the price is the price of' },
  },
  RateOffer: {
    description: 'A room type with a rate plan',
    properties: { cancellation: 'Of this offer', payment: 'Of this offer' },
  },
  OfferPrice: { description: 'The price of an offer' },
  StayOffer: {
    description: 'A room type with a rate plan, for one stay and party',
    properties: { cancellation: 'Of this offer', payment: 'Of this offer' },
  },
  RoomOffers: {
    description: 'A room type with all of its offers',
    properties: { name: 'In all languages' },
  },
  HotelOffers: {
    description: 'All rooms and rate plans of a hotel for one stay',
    properties: { rooms: 'Room types with their offers' },
  },
  CalendarPrice: { description: 'The cheapest stay that begins on a day' },
  CalendarDay: { description: 'A day of arrival' },
  HotelCalendar: { description: 'The cheapest stay per day of arrival' },
} as const satisfies Readonly<Record<string, SchemaNote>>

const policySchemas = {
  HotelPolicies: { description: 'The policies of a hotel, in the language of the response' },
  HouseRule: { of: [houseRules.items], description: 'A rule of the hotel' },
  PolicyDetails: {
    description: 'Policies as texts, with the facts that a client may decide by',
    properties: { children: 'Children' },
  },
  ChildrenPolicy: { of: [details.properties.children], description: 'Children as guests' },
  ExtraBedsPolicy: { of: [details.properties.extraBeds], description: 'Extra beds and cribs' },
  PetsPolicy: { of: [details.properties.pets], description: 'Pets' },
  LateArrivalPolicy: {
    of: [details.properties.lateArrival],
    description: 'Arrival late in the evening',
  },
  IdentityPolicy: {
    of: [details.properties.identityDocuments],
    description: 'What guests have to show',
  },
} as const satisfies Readonly<Record<string, SchemaNote>>

const pageSchemas = {
  HotelPage: {
    of: [HotelPage],
    description: 'A hotel. It contains nothing about the caller, and may be cached',
    properties: {
      rooms: 'The room types of the hotel',
      amenities: 'The amenities of the hotel',
    },
  },
  HotelSections: {
    of: [HotelPage.properties.sections],
    description: 'The state of each part of a hotel page',
    properties: { property: 'The state of the hotel itself' },
  },
  HotelSummary: {
    of: [PropertySummaryVM],
    description: 'The hotel. Its name is in all languages, other texts in the requested one',
    properties: { name: 'In all languages', propertyType: 'The kind of property' },
  },
  HotelAddress: {
    of: [PropertySummaryVM.properties.address],
    description: 'Where the hotel is',
  },
  GuestRating: {
    of: [PropertySummaryVM.properties.guestRating],
    description: 'What guests think of it',
    properties: { count: 'The number of ratings' },
  },
  RoomType: {
    of: [RoomTypeSummaryVM],
    description: 'A kind of room',
    properties: { name: 'In all languages', kind: 'The kind of room' },
  },
  Bed: {
    of: [RoomTypeSummaryVM.properties.beds.items],
    description: 'Beds of one kind',
    properties: { kind: 'The kind of bed', count: 'The number of beds' },
  },
  RoomPhoto: {
    of: [RoomTypeSummaryVM.properties.photos.items],
    description: 'A picture of a room',
  },
  HotelPhoto: { of: [HotelDetailVM.properties.photos.items], description: 'A picture' },
  PhotoSource: {
    of: [PictureSize.sources.items],
    description: 'A picture in one width',
  },
  Amenity: {
    of: [HotelDetailVM.properties.amenities.items],
    description: 'An amenity of the hotel',
    properties: { name: 'In all languages' },
  },
  Reviews: {
    of: [ReviewsVM],
    description: 'What guests wrote, in the requested language',
  },
  ReviewScore: {
    of: [ReviewsVM.properties.scores.items],
    description: 'The rating of one aspect',
  },
  Review: { of: [ReviewsVM.properties.items.items], description: 'What one guest wrote' },
  PopularitySignals: {
    of: [HotelDetailVM.properties.popularitySignals],
    description: 'How popular the hotel is now',
  },
  HandoffHint: {
    of: [HotelDetailVM.properties.handoffHint],
    description: 'How to create a booking link',
  },
  CalendarPreviewDay: { of: [PriceCalendar.items], description: 'The price of one night' },
  HotelPrice: { of: [HotelPriceVM], description: 'The current price of a stay' },
  PriceSections: {
    of: [HotelPriceVM.properties.sections, HotelCalendarVM.properties.sections],
    description: 'The state of the prices',
  },
  OfferSections: {
    of: [HotelOffersVM.properties.sections],
    description: 'The state of each part of the offers',
    properties: { property: 'The state of the hotel itself' },
  },
  HotelAvailability: {
    of: [HotelAvailability],
    description: 'The rooms of a hotel per night. Not binding: the booking decides',
  },
  AvailabilitySections: {
    of: [HotelAvailability.properties.sections],
    description: 'The state of the availability',
    properties: { availability: 'The state of the availability' },
  },
  NightAvailability: {
    of: [HotelAvailability.properties.nights.items],
    description: 'The rooms of one night',
  },
} as const satisfies Readonly<Record<string, SchemaNote>>

const sharedSchemas = {
  Section: { of: [Section], description: 'The state of one part of a composed response' },
  LocalizedText: {
    of: [LocalizedString],
    description: 'A text in several languages',
    properties: {
      default: 'For languages that are not in `localized`',
      localized: 'By BCP 47 tag',
    },
  },
  Stay: { of: [Stay], description: 'The night of `checkOut` is not part of the stay' },
  Occupancy: {
    of: [Occupancy, PartyOccupancy],
    description: 'The party',
    properties: { childrenAges: 'The age of each child in years, where it is known' },
  },
  BrandPeek: { of: [BrandPeekVM], description: 'The brand of a hotel' },
  ListingCard: {
    of: [ListingCardVM],
    description: 'A hotel in a list',
    properties: { name: 'In all languages' },
  },
  Thumbnail: {
    of: [ListingCardVM.properties.thumbnail],
    description: 'The picture of a card',
  },
  CardSections: {
    of: [CardSections],
    description: 'The state of each part; `prices` only where they were requested',
  },
  Comparison: {
    of: [ComparisonVM],
    description: 'Up to three hotels next to each other',
  },
  ComparisonSections: {
    of: [ComparisonVM.properties.sections],
    description: 'The state of each part of a comparison',
    properties: { facts: 'The state of the facts' },
  },
  ComparedHotel: { of: [hotels.items], description: 'A hotel of the comparison' },
  ComparedFacts: {
    of: [facts],
    description: 'What cards do not contain',
    properties: { propertyType: 'The kind of property' },
  },
  CancellationPolicy: {
    of: [facts.properties.cancellation],
    description:
      'Of the most flexible rate of the hotel, not of the price shown, whose terms are in ' +
      'card.rateSnapshot.offer.cancellation',
    properties: {
      kind:
        'After the free period a cancellation costs all of the price (free) or a part of it ' +
        '(partial). none: a cancellation is never free',
    },
  },
  ComparedAmenity: {
    of: [amenities.items],
    description: 'One row of the comparison',
    properties: { name: 'In the language of the response' },
  },
  MissingHotel: { of: [missing.items], description: 'A hotel that could not be compared' },
} as const satisfies Readonly<Record<string, SchemaNote>>

/** Hotels with their prices, and what lists of hotels consist of. */
export const hotelSchemas = {
  ...priceSchemas,
  ...policySchemas,
  ...pageSchemas,
  ...sharedSchemas,
} as const satisfies Readonly<Record<string, SchemaNote>>
