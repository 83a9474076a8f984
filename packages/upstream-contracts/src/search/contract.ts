import { Type } from 'typebox'
import { defineContract } from '../contract.ts'
import {
  OffersRequest,
  OffersResponse,
  StayCalendarRequest,
  StayCalendarResponse,
  UNBOOKABLE_REASONS,
} from '../offers.ts'
import { Geo, id, instant, isoDate, LocalizedString, MicroMoney, text } from '../schemas.ts'
import {
  Alternative,
  BoundingBox,
  Criteria,
  Degradation,
  FacetNames,
  FacetRanges,
  Facets,
  Hit,
  Listing,
  PLACE_KINDS,
  PlaceSummary,
  SEARCH_TEXT_MAX,
  SORT_KEYS,
} from './schemas.ts'

export {
  AMENITY_CODES,
  BoundingBox,
  FacetNames,
  FacetRanges,
  Facets,
  GeoArea,
  Listing,
  PLACE_KINDS,
  PlaceSummary,
  SEARCH_TEXT_MAX,
  SearchFilters,
  SORT_KEYS,
} from './schemas.ts'

export const searchContract = defineContract({
  upstream: 'search',
  basePath: '/api/v1',
  operations: {
    query: {
      method: 'POST',
      path: '/search/queries',
      summary: 'Search listings of all tenants, ranked',
      repeats: { member: 'items', varying: ['distanceKm', 'roomsLeft', 'score', 'reasons'] },
      body: Type.Object({
        ...Criteria,
        sortKey: Type.Enum([...SORT_KEYS]),
        limit: Type.Integer({ minimum: 1, maximum: 200 }),
        cursor: Type.Optional(text(400)),
        withFacets: Type.Optional(Type.Boolean()),
      }),
      response: Type.Object({
        total: Type.Integer({ minimum: 0 }),
        /** How many of them have a bookable offer. */
        bookableTotal: Type.Optional(Type.Integer({ minimum: 0 })),
        items: Type.Array(Hit),
        nextCursor: Type.Optional(text(400)),
        facets: Type.Optional(Facets),
        facetNames: Type.Optional(FacetNames),
        facetRanges: Type.Optional(FacetRanges),
        /**
         * The city or region that was searched, or the only requested neighbourhood of it;
         * `properties` is the total.
         */
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
            /** As of a preview; absent with a price. */
            reason: Type.Optional(Type.Enum([...UNBOOKABLE_REASONS])),
            /** As of a preview, with `not_enough_rooms`. */
            roomsLeft: Type.Optional(Type.Integer({ minimum: 1 })),
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
