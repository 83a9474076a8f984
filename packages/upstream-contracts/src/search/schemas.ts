import { type Static, type TSchema, Type } from 'typebox'
import {
  currency,
  Geo,
  id,
  isoDate,
  LocalizedString,
  Occupancy,
  PictureSize,
  Stay,
  text,
} from '../schemas.ts'

/** Prices are the totals shown; hotels without a bookable offer are last. */
export const SORT_KEYS = [
  'recommended',
  'price-asc',
  'price-desc',
  'rating-desc',
  'distance-asc',
] as const

/** Limits of free text in requests, in code points. Callers check them after normalisation. */
export const SEARCH_TEXT_MAX = {
  place: 80,
  amenity: 40,
  propertyType: 40,
  neighbourhood: 80,
  suggestion: 80,
} as const

/** All amenities of the platform: hotels choose from this list, and filters as well. */
export const AMENITY_CODES = [
  'wifi',
  'breakfast',
  'halal-kitchen',
  'prayer-room',
  'generator',
  'women-only-floor',
  'airport-pickup',
  'parking',
  'restaurant',
  'room-service',
  'laundry',
  'air-conditioning',
  'heating',
  'elevator',
  'garden',
  'courtyard',
  'rooftop-terrace',
  'tea-house',
  'family-rooms',
  'meeting-room',
  'security-guard',
  'kitchenette',
  'gym',
  'pool',
  'hammam',
  'step-free',
] as const

/** Exactly one of the four modes; the server rejects any other combination. */
export const GeoArea = Type.Union([
  Type.Object({
    mode: Type.Literal('point'),
    point: Type.Object({
      ...Geo.properties,
      radiusKm: Type.Number({ exclusiveMinimum: 0, maximum: 500 }),
    }),
  }),
  Type.Object({
    mode: Type.Literal('bounding-box'),
    /** `swLng` greater than `neLng` means that the box crosses the antimeridian. */
    boundingBox: Type.Object({
      swLat: Geo.properties.lat,
      swLng: Geo.properties.lng,
      neLat: Geo.properties.lat,
      neLng: Geo.properties.lng,
    }),
  }),
  Type.Object({ mode: Type.Literal('city'), city: text(SEARCH_TEXT_MAX.place) }),
  Type.Object({ mode: Type.Literal('region'), region: text(SEARCH_TEXT_MAX.place) }),
])

export type GeoArea = Static<typeof GeoArea>

/** Around the hotels and the centre of a place; may cross the antimeridian like `geo`. */
export const BoundingBox = Type.Object({
  swLat: Geo.properties.lat,
  swLng: Geo.properties.lng,
  neLat: Geo.properties.lat,
  neLng: Geo.properties.lng,
})

export const PLACE_KINDS = ['city', 'region', 'neighbourhood', 'landmark'] as const

const PlaceName = Type.Object({ key: text(120), name: LocalizedString })

/**
 * A place to search in. `properties` is the number of listed hotels that the search of `search`
 * selects; with a stay, the number that it finds for this stay and party.
 */
export const PlaceSummary = Type.Object({
  kind: Type.Enum([...PLACE_KINDS]),
  key: text(120),
  name: LocalizedString,
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  geo: Geo,
  properties: Type.Integer({ minimum: 0 }),
  /** Omitted for a city itself. */
  city: Type.Optional(PlaceName),
  region: Type.Optional(PlaceName),
  boundingBox: BoundingBox,
  search: Type.Object({
    geo: GeoArea,
    /** Keys; together with the city they select exactly the hotels of a neighbourhood. */
    neighbourhoods: Type.Optional(
      Type.Array(text(SEARCH_TEXT_MAX.neighbourhood), { minItems: 1, maxItems: 1 }),
    ),
  }),
})

export type PlaceSummary = Static<typeof PlaceSummary>

/**
 * Where to search instead, with the same stay, party and filters except neighbourhoods and text:
 * `properties` is the total of that search.
 */
export const Alternative = Type.Object({
  ...PlaceSummary.properties,
  because: Type.Enum(['similar_name', 'nearby', 'popular']),
  /** From the requested place; omitted where that is unknown. */
  distanceKm: Type.Optional(Type.Number({ minimum: 0 })),
})

export const SearchFilters = Type.Object({
  text: Type.Optional(text(120)),
  /**
   * Bounds of the price shown, in `currency` and in millionths: of the cheapest night by default,
   * or of the whole stay. Hotels without a bookable offer are in no range.
   */
  priceRange: Type.Optional(
    Type.Object({
      per: Type.Optional(Type.Enum(['night', 'stay'])),
      minMicro: Type.String({ pattern: '^\\d{1,19}$' }),
      maxMicro: Type.String({ pattern: '^\\d{1,19}$' }),
      currency: currency(),
    }),
  ),
  amenities: Type.Optional(Type.Array(text(SEARCH_TEXT_MAX.amenity), { maxItems: 20 })),
  starRating: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 5 }), { maxItems: 5 })),
  guestRatingMin: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  propertyType: Type.Optional(Type.Array(text(SEARCH_TEXT_MAX.propertyType), { maxItems: 10 })),
  /**
   * Only hotels with a bookable offer that has at least these terms now; it is the one shown, and
   * the one that the price range and the price orders refer to. `free`: can be cancelled free of
   * charge now. `partial`: that, or the penalty is less than the price now.
   */
  cancellationFlexibility: Type.Optional(Type.Enum(['free', 'partial', 'any'])),
  neighbourhoods: Type.Optional(Type.Array(text(SEARCH_TEXT_MAX.neighbourhood), { maxItems: 20 })),
  /** Only hotels with a bookable offer. */
  availableOnly: Type.Optional(Type.Boolean()),
})

export const Criteria = {
  geo: GeoArea,
  stay: Stay,
  occupancy: Occupancy,
  filters: SearchFilters,
  currency: currency(),
}

export const Listing = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  tenantSlug: text(63),
  name: LocalizedString,
  /** Lower-case Latin keys, as used by the geo modes and the facets. */
  city: text(80),
  region: text(80),
  cityName: LocalizedString,
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  neighbourhood: Type.Optional(text(80)),
  neighbourhoodName: Type.Optional(LocalizedString),
  geo: Geo,
  /** An IANA name. */
  timeZone: text(64),
  thumbnail: Type.Object({ url: text(500), alt: LocalizedString, ...PictureSize }),
  propertyType: text(40),
  starRating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  guestRating: Type.Optional(
    Type.Object({ value: Type.Number(), count: Type.Integer({ minimum: 0 }) }),
  ),
  amenityHighlights: Type.Array(text(40), { maxItems: 5 }),
  /** The general policy of the hotel; the terms of a price are those of its offer. */
  cancellationFlexibility: Type.Enum(['free', 'partial', 'none']),
  shariaCompliant: Type.Boolean(),
  openedOn: isoDate(),
  /** The cloud region that serves the hotel, for example `asia-south1`. */
  deliveryRegion: text(40),
})

export type Listing = Static<typeof Listing>

/** The reasons for the rank, strongest first; the weights add up to the score. */
const RankReason = Type.Object({
  kind: Type.Enum([
    'popularity',
    'rating',
    'price',
    'distance',
    'text',
    'availability',
    'freshness',
  ]),
  weight: Type.Integer({ minimum: 0 }),
})

export const Hit = Type.Object({
  ...Listing.properties,
  distanceKm: Type.Optional(Type.Number({ minimum: 0 })),
  /** The fewest rooms available in any night of the stay. */
  roomsLeft: Type.Integer({ minimum: 0 }),
  score: Type.Integer({ minimum: 0 }),
  reasons: Type.Array(RankReason, { maxItems: 7 }),
})

/**
 * Counts per value of a filter. A count is the total of the same search with this value alone in
 * its filter: a facet is counted as if its own filter were not set.
 */
export const Facets = Type.Object({
  amenities: Type.Record(Type.String(), Type.Integer()),
  starRating: Type.Record(Type.String(), Type.Integer()),
  propertyType: Type.Record(Type.String(), Type.Integer()),
  neighbourhoods: Type.Record(Type.String(), Type.Integer()),
  cities: Type.Record(Type.String(), Type.Integer()),
})

/** Display names of the counted keys; omitted keys have none. */
export const FacetNames = Type.Object({
  amenities: Type.Optional(Type.Record(Type.String(), LocalizedString)),
  propertyType: Type.Optional(Type.Record(Type.String(), LocalizedString)),
  neighbourhoods: Type.Record(Type.String(), LocalizedString),
  cities: Type.Record(Type.String(), LocalizedString),
})

export type FacetNames = Static<typeof FacetNames>

const count = () => Type.Integer({ minimum: 0 })

/** Half-open: a value at `to` belongs to the next bucket, except in the last one. */
const Histogram = <B extends TSchema>(bound: () => B) => ({
  min: bound(),
  max: bound(),
  buckets: Type.Array(Type.Object({ from: bound(), to: bound(), count: count() }), {
    maxItems: 20,
  }),
})

/** The distribution of a value over the matches, as if the filter of the value were not set. */
export const FacetRanges = Type.Object({
  /**
   * The cheapest nightly prices shown, in the currency of the request. Absent where no match has a
   * price in it, or there are too many matches to price.
   */
  price: Type.Optional(
    Type.Object({
      currency: currency(),
      ...Histogram(() => Type.String({ pattern: '^\\d{1,19}$' })),
    }),
  ),
  /** Absent where no match is rated. */
  guestRating: Type.Optional(Type.Object(Histogram(() => Type.Number()))),
})

export type FacetRanges = Static<typeof FacetRanges>

export const Degradation = Type.Enum(['none', 'projection_stale'])
