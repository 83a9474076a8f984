import { Section } from '@melmastoon/bff/sections'
import { currency, Geo, id, instant } from '@melmastoon/upstream-contracts'
import { BoundingBox } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { StayAvailabilityVM } from '../rates/offer-terms.ts'
import { RateSnapshotVM } from '../rates/rate-snapshot.ts'
import { SearchBody } from '../search/search-schema.ts'

export const PINS_MAX = 250

const {
  geo,
  dates,
  occupancy,
  filters,
  locale,
  currency: preferredCurrency,
} = SearchBody.properties

export const MapBody = Type.Object({
  geo: Type.Object(geo.properties, {
    description: 'A bounding box. One whose neLng is west of its swLng crosses the antimeridian',
  }),
  dates,
  occupancy,
  filters,
  targetPropertyId: Type.Optional(
    Type.Unsafe<Static<ReturnType<typeof id<'ppt'>>>>(
      Type.String({ ...id('ppt'), description: 'The pin whose price is requested' }),
    ),
  ),
  locale,
  currency: preferredCurrency,
})

export type MapBody = Static<typeof MapBody>

/** Domain model §4.3. */
const MapPinVM = Type.Object({
  propertyId: id('ppt'),
  geo: Geo,
  cheapestNightlyMinor: Type.Optional(
    Type.Integer({ description: 'Only of the targeted pin, and never older than a minute' }),
  ),
  currency: Type.Optional(currency()),
  /** As on a card; of the targeted pin as current as its price. */
  availability: Type.Optional(StayAvailabilityVM),
  /** Only of the targeted pin, with the terms of its price (D33). */
  rateSnapshot: Type.Optional(RateSnapshotVM),
  brandColor: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  name: Type.Optional(Type.String({ description: 'In the language of the response' })),
  shownPrice: Type.Optional(
    Type.Object(
      { nightlyMinor: Type.Integer(), currency: currency() },
      {
        description:
          '`cheapestNightlyMinor` of the offer that a card would show, where it is known; ' +
          '`pinPrices` has its age',
      },
    ),
  ),
})

export type MapPinVM = Static<typeof MapPinVM>

/** Several hotels that are close to each other on this map. */
const MapClusterVM = Type.Object({
  count: Type.Integer({ minimum: 2, description: 'Number of hotels; exact' }),
  geo: Geo,
  boundingBox: Type.Unsafe<Static<typeof BoundingBox>>({
    ...BoundingBox,
    description: 'The smallest box around the hotels: show it to see them apart',
  }),
})

export type MapClusterVM = Static<typeof MapClusterVM>

/** Shared by all guests: it contains nothing about the caller (D5). */
export const SearchMap = Type.Object({
  sections: Type.Object({
    listings: Section,
    brands: Section,
    /** Only where a pin is targeted. */
    prices: Type.Optional(Section),
  }),
  degraded: Type.Boolean({ description: 'At least one section is stale or missing' }),
  total: Type.Integer({ minimum: 0 }),
  truncated: Type.Boolean({ description: 'There are more hotels in the box than pins' }),
  targetMissing: Type.Optional(
    Type.Literal(true, {
      description:
        'The targeted hotel is not among the pins: it has left the map, or is part of a cluster',
    }),
  ),
  pinPrices: Type.Optional(
    Type.Object(
      { capturedAt: instant(), ttlExpiresAt: instant(), isStale: Type.Boolean() },
      {
        description: 'Of `shownPrice` and `availability` of all pins; absent where no pin has one',
      },
    ),
  ),
  pins: Type.Array(MapPinVM, { maxItems: PINS_MAX }),
  clusters: Type.Optional(
    Type.Array(MapClusterVM, {
      maxItems: PINS_MAX,
      description:
        'Where the box has more hotels than a map can have pins. Pins and the counts of clusters ' +
        'add up to `total`',
    }),
  ),
})

export type SearchMap = Static<typeof SearchMap>
