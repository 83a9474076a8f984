import { Section } from '@melmastoon/bff/sections'
import { currency, Geo, id } from '@melmastoon/upstream-contracts'
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
  /** Only of the targeted pin. */
  availability: Type.Optional(StayAvailabilityVM),
  /** Only of the targeted pin, with the terms of its price (D33). */
  rateSnapshot: Type.Optional(RateSnapshotVM),
  brandColor: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
})

export type MapPinVM = Static<typeof MapPinVM>

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
    Type.Literal(true, { description: 'The targeted hotel is not, or no longer, among the pins' }),
  ),
  pins: Type.Array(MapPinVM, { maxItems: PINS_MAX }),
})

export type SearchMap = Static<typeof SearchMap>
