import { type Static, type TSchema, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import {
  OffersRequest,
  OffersResponse,
  StayCalendarRequest,
  StayCalendarResponse,
} from '../offers.ts'
import {
  currency,
  Geo,
  id,
  instant,
  isoDate,
  LocalizedString,
  MicroMoney,
  Occupancy,
  PictureSize,
  Stay,
  text,
} from '../schemas.ts'

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
const Alternative = Type.Object({
  ...PlaceSummary.properties,
  because: Type.Enum(['similar_name', 'nearby', 'popular']),
  /** From the requested place; omitted where that is unknown. */
  distanceKm: Type.Optional(Type.Number({ minimum: 0 })),
})

export const SearchFilters = Type.Object({
  text: Type.Optional(text(120)),
  /**
   * Bounds of the price shown, in `currency` and in millionths: of the cheapest night by default,
   * or of the whole stay.
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
  cancellationFlexibility: Type.Optional(Type.Enum(['free', 'partial', 'any'])),
  neighbourhoods: Type.Optional(Type.Array(text(SEARCH_TEXT_MAX.neighbourhood), { maxItems: 20 })),
})

const Criteria = {
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
  thumbnail: Type.Object({ url: text(500), alt: LocalizedString, ...PictureSize }),
  propertyType: text(40),
  starRating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  guestRating: Type.Optional(
    Type.Object({ value: Type.Number(), count: Type.Integer({ minimum: 0 }) }),
  ),
  amenityHighlights: Type.Array(text(40), { maxItems: 5 }),
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

const Hit = Type.Object({
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

const Degradation = Type.Enum(['none', 'projection_stale'])

export const searchContract = defineContract({
  upstream: 'search',
  basePath: '/api/v1',
  operations: {
    query: {
      method: 'POST',
      path: '/search/queries',
      summary: 'Search listings of all tenants, ranked',
      body: Type.Object({
        ...Criteria,
        sortKey: Type.Enum([...SORT_KEYS]),
        limit: Type.Integer({ minimum: 1, maximum: 200 }),
        cursor: Type.Optional(text(400)),
        withFacets: Type.Optional(Type.Boolean()),
      }),
      response: Type.Object({
        total: Type.Integer({ minimum: 0 }),
        items: Type.Array(Hit),
        nextCursor: Type.Optional(text(400)),
        facets: Type.Optional(Facets),
        facetNames: Type.Optional(FacetNames),
        facetRanges: Type.Optional(FacetRanges),
        /** The city or region that was searched, or the only requested neighbourhood of it. */
        place: Type.Optional(PlaceSummary),
        /** On the first page of a search without results. */
        alternatives: Type.Optional(Type.Array(Alternative, { maxItems: 5 })),
        degradationLevel: Degradation,
        indexedAt: instant(),
      }),
      errorCodes: [
        'MELMASTOON.SEARCH.CURSOR_INVALID',
        'MELMASTOON.SEARCH.AREA_INVALID',
        'MELMASTOON.SEARCH.STAY_INVALID',
        'MELMASTOON.SEARCH.PRICE_RANGE_INVALID',
      ],
    },
    map: {
      method: 'POST',
      path: '/search/map',
      summary: 'List the map pins in a box, highest rank first; many of them as clusters',
      body: Type.Object({ ...Criteria, limit: Type.Integer({ minimum: 1, maximum: 250 }) }),
      response: Type.Object({
        total: Type.Integer({ minimum: 0 }),
        /** All matches where `limit` allows; otherwise those that are in no cluster. */
        pins: Type.Array(
          Type.Object({
            propertyId: id('ppt'),
            tenantId: id('tnt'),
            geo: Geo,
            name: Type.Optional(LocalizedString),
            /** As `cheapestNightly` of a preview. */
            cheapestNightly: Type.Optional(MicroMoney),
          }),
          { maxItems: 250 },
        ),
        /** Absent where all matches are pins. Together with the pins there are at most `limit`. */
        clusters: Type.Optional(
          Type.Array(
            Type.Object({
              count: Type.Integer({ minimum: 2 }),
              /** The centre of its hotels. */
              geo: Geo,
              /** The smallest box around its hotels. */
              box: BoundingBox,
            }),
            { maxItems: 250 },
          ),
        ),
        indexedAt: instant(),
      }),
      errorCodes: [
        'MELMASTOON.SEARCH.AREA_INVALID',
        'MELMASTOON.SEARCH.STAY_INVALID',
        'MELMASTOON.SEARCH.PRICE_RANGE_INVALID',
      ],
    },
    hotel: {
      method: 'GET',
      path: '/search/hotels/:propertyId',
      summary: 'Get the listing of one hotel, and similar hotels',
      params: Type.Object({ propertyId: id('ppt') }),
      response: Type.Object({
        listing: Listing,
        popularity: Type.Object({
          bookedLast24h: Type.Integer({ minimum: 0 }),
          viewedLast1h: Type.Integer({ minimum: 0 }),
        }),
        similar: Type.Array(Listing, { maxItems: 4 }),
        indexedAt: instant(),
      }),
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    listings: {
      method: 'POST',
      path: '/search/listings',
      summary: 'Get listings by id, in the requested order; unpublished ones are omitted',
      body: Type.Object({
        propertyIds: Type.Array(id('ppt'), { minItems: 1, maxItems: 100 }),
      }),
      response: Type.Object({
        listings: Type.Array(Listing, { maxItems: 100 }),
        indexedAt: instant(),
      }),
      errorCodes: [],
    },
    availability: {
      method: 'GET',
      path: '/search/hotels/:propertyId/availability',
      summary: 'List the rooms left per night, with the delay of the index',
      params: Type.Object({ propertyId: id('ppt') }),
      /** Half-open like a stay: the night of `to` is not included. */
      query: Type.Object({ from: isoDate(), to: isoDate() }),
      response: Type.Object({
        propertyId: id('ppt'),
        nights: Type.Array(
          Type.Object({
            night: isoDate(),
            roomsLeft: Type.Integer({ minimum: 0 }),
            roomsTotal: Type.Integer({ minimum: 0 }),
          }),
          { maxItems: 92 },
        ),
        indexedAt: instant(),
      }),
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.SEARCH.STAY_INVALID'],
    },
    offers: {
      method: 'POST',
      path: '/search/hotels/:propertyId/offers',
      summary: 'List all room types and rate plans of a hotel for one stay, priced where bookable',
      params: Type.Object({ propertyId: id('ppt') }),
      body: OffersRequest,
      response: OffersResponse,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.SEARCH.STAY_INVALID'],
    },
    stayCalendar: {
      method: 'POST',
      path: '/search/hotels/:propertyId/calendar',
      summary: 'List the cheapest bookable stay per day of arrival, for a party',
      params: Type.Object({ propertyId: id('ppt') }),
      body: StayCalendarRequest,
      response: StayCalendarResponse,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.SEARCH.STAY_INVALID'],
    },
    suggest: {
      method: 'GET',
      path: '/search/suggest',
      summary: 'Suggest places and hotels by the beginning of a name, in any language and spelling',
      query: Type.Object({
        /** Without text: the most popular places. */
        q: Type.Optional(Type.String({ maxLength: SEARCH_TEXT_MAX.suggestion })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
        /** With both dates `properties` counts the hotels with rooms for the party. */
        checkIn: Type.Optional(isoDate()),
        checkOut: Type.Optional(isoDate()),
        adults: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
        children: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
        rooms: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
      }),
      response: Type.Object({
        suggestions: Type.Array(
          Type.Object({
            kind: Type.Enum([...PLACE_KINDS, 'property']),
            key: text(120),
            name: LocalizedString,
            country: Type.String({ pattern: '^[A-Z]{2}$' }),
            geo: Geo,
            properties: Type.Integer({ minimum: 0 }),
            city: PlaceSummary.properties.city,
            region: PlaceSummary.properties.region,
            /** Omitted for hotels, like `search`. */
            boundingBox: Type.Optional(BoundingBox),
            search: Type.Optional(PlaceSummary.properties.search),
            /** `similar`: only the sound of the name is similar to the text. */
            match: Type.Optional(Type.Enum(['popular', 'exact', 'similar'])),
          }),
          { maxItems: 20 },
        ),
      }),
      errorCodes: ['MELMASTOON.SEARCH.STAY_INVALID'],
    },
    facets: {
      method: 'GET',
      path: '/search/facets',
      summary: 'List the filter values, with counts over all listings',
      response: Type.Object({
        facets: Facets,
        total: Type.Integer(),
        names: Type.Optional(FacetNames),
        indexedAt: instant(),
      }),
      errorCodes: [],
    },
    click: {
      method: 'POST',
      path: '/search/clicks',
      summary: 'Record that a listing was opened, for its popularity',
      body: Type.Object({
        propertyId: id('ppt'),
        position: Type.Integer({ minimum: 0, maximum: 10_000 }),
      }),
      response: Type.Object({ accepted: Type.Literal(true) }),
      idempotent: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
  },
})
