import { Occupancy } from '@melmastoon/bff/stays'
import { currency, Geo, Stay, text } from '@melmastoon/upstream-contracts'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'

const latitude = () => Type.Number({ minimum: -90, maximum: 90 })
const longitude = () => Type.Number({ minimum: -180, maximum: 180 })

/** One mode and its own member; that no other is given is checked apart, by name. */
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
  city: Type.Optional(text(80)),
  region: Type.Optional(text(80)),
})

const AMOUNT_MINOR_MAX = 1_000_000_000_000
const amountMinor = () => Type.Integer({ minimum: 0, maximum: AMOUNT_MINOR_MAX })

const SearchFilters = Type.Object({
  priceRange: Type.Optional(
    Type.Object(
      { min: amountMinor(), max: amountMinor(), currency: currency() },
      { description: 'Of the cheapest night, in minor units' },
    ),
  ),
  amenities: Type.Optional(Type.Array(text(40), { maxItems: 20 })),
  starRating: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 5 }), { maxItems: 5 })),
  guestRatingMin: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  propertyType: Type.Optional(Type.Array(text(40), { maxItems: 10 })),
  cancellationFlexibility: Type.Optional(Type.Enum(['free', 'partial', 'any'])),
  neighbourhoods: Type.Optional(Type.Array(text(80), { maxItems: 20 })),
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
  /** Say so for this question alone; whether we know them is answered with codes of their own. */
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
})

export type SearchBody = Static<typeof SearchBody>
