import { Section } from '@melmastoon/bff/sections'
import { Occupancy } from '@melmastoon/bff/stays'
import { currency, Geo, Stay, text } from '@melmastoon/upstream-contracts'
import { PROPERTY_TYPES } from '@melmastoon/upstream-contracts/property'
import {
  AMENITY_CODES,
  Facets,
  SEARCH_TEXT_MAX,
  SORT_KEYS,
  SearchFilters as UpstreamFilters,
} from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { ListingCardVM } from '../cards/listing-card.ts'
import { SearchFacetsVM } from '../facets/facet-catalog.ts'
import { AlternativeVM, PlaceVM } from '../places/place-view.ts'

const latitude = () => Type.Number({ minimum: -90, maximum: 90 })
const longitude = () => Type.Number({ minimum: -180, maximum: 180 })

/** One mode and its own member; `validateSearch` rejects the members of other modes. */
const GeoQuery = Type.Object({
  mode: Type.Enum(['point', 'bounding-box', 'city', 'region']),
  point: Type.Optional(
    Type.Object({
      ...Geo.properties,
      radiusKm: Type.Number({ exclusiveMinimum: 0, maximum: 500 }),
    }),
  ),
  boundingBox: Type.Optional(
    Type.Object({
      swLat: latitude(),
      swLng: longitude(),
      neLat: latitude(),
      neLng: longitude(),
    }),
  ),
  city: Type.Optional(text(SEARCH_TEXT_MAX.place)),
  region: Type.Optional(text(SEARCH_TEXT_MAX.place)),
})

const AMOUNT_MINOR_MAX = 1_000_000_000_000
const amountMinor = () => Type.Integer({ minimum: 0, maximum: AMOUNT_MINOR_MAX })

/** The upstream's own schemas, so that a valid filter is always a valid upstream request. */
const { starRating, guestRatingMin, cancellationFlexibility, neighbourhoods, availableOnly } =
  UpstreamFilters.properties

const SearchFilters = Type.Object({
  priceRange: Type.Optional(
    Type.Object(
      {
        per: Type.Optional(
          Type.Enum(['night', 'stay'], {
            default: 'night',
            description: 'night: bounds cheapestNightlyMinor; stay: bounds totalForStayMinor',
          }),
        ),
        min: amountMinor(),
        max: amountMinor(),
        currency: currency(),
      },
      {
        description:
          'Bounds of the price shown, in minor units; `price-asc` and `price-desc` order by the total ' +
          'of the stay in any case',
      },
    ),
  ),
  amenities: Type.Optional(
    Type.Array(text(SEARCH_TEXT_MAX.amenity), {
      maxItems: 20,
      description: `A hotel has all of them. Other codes are rejected: ${AMENITY_CODES.join(', ')}`,
    }),
  ),
  starRating,
  guestRatingMin,
  propertyType: Type.Optional(
    Type.Array(text(SEARCH_TEXT_MAX.propertyType), {
      maxItems: 10,
      description: `A hotel is one of them. Other values are rejected: ${PROPERTY_TYPES.join(', ')}`,
    }),
  ),
  cancellationFlexibility,
  neighbourhoods,
  availableOnly,
})

export const PAGE_SIZE_DEFAULT = 20

export const SearchBody = Type.Object({
  geo: GeoQuery,
  dates: Stay,
  occupancy: Type.Object({
    adults: Occupancy.properties.adults,
    children: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, default: 0 })),
    rooms: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
    childrenAges: Occupancy.properties.childrenAges,
  }),
  filters: Type.Optional(SearchFilters),
  sortKey: Type.Optional(Type.Enum([...SORT_KEYS], { default: 'recommended' })),
  cursor: Type.Optional(text(400)),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: PAGE_SIZE_DEFAULT })),
  /** For this request only. Unsupported values have error codes of their own. */
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
})

export type SearchBody = Static<typeof SearchBody>

/** Shared by all guests: it contains nothing about the caller (D5). */
export const SearchPage = Type.Object({
  sections: Type.Object({ listings: Section, prices: Section, brands: Section }),
  degraded: Type.Boolean({ description: 'At least one section is stale or missing' }),
  total: Type.Integer({ minimum: 0 }),
  bookableTotal: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'How many of them can be booked: the total with the filter availableOnly',
    }),
  ),
  nextCursor: Type.Optional(Type.String()),
  items: Type.Array(ListingCardVM, { maxItems: 50 }),
  facets: Type.Optional(
    Type.Unsafe<Static<typeof Facets>>({
      ...Facets,
      description:
        'Counts by value, on the first page. A count is the total of this search with that value ' +
        'alone in its filter',
    }),
  ),
  facetValues: Type.Optional(
    Type.Unsafe<SearchFacetsVM>({
      ...SearchFacetsVM,
      description:
        'The same counts with labels in the language of the response, the most frequent first, ' +
        'and the distribution of prices and ratings',
    }),
  ),
  place: Type.Optional(
    Type.Unsafe<PlaceVM>({
      ...PlaceVM,
      description:
        'The city or region that was searched, or the only requested neighbourhood of the city; ' +
        '`distanceKm` of cards is the distance from its centre, and its `count` is the `total`',
    }),
  ),
  alternatives: Type.Optional(
    Type.Array(AlternativeVM, {
      maxItems: 5,
      description:
        'On the first page of a search without results: where the same dates, occupancy and ' +
        'filters (without neighbourhoods) have results',
    }),
  ),
})

export type SearchPage = Static<typeof SearchPage>
