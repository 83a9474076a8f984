import { Section } from '@melmastoon/bff/sections'
import { currency, Geo, id } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

export const PINS_MAX = 250

/** Domain model §4.3. */
const MapPinVM = Type.Object({
  propertyId: id('ppt'),
  geo: Geo,
  cheapestNightlyMinor: Type.Optional(
    Type.Integer({ description: 'Of the targeted pin alone, and never older than a minute' }),
  ),
  currency: Type.Optional(currency()),
  brandColor: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
})

export type MapPinVM = Static<typeof MapPinVM>

/** The shared answer: nothing in it is about who asked (D5). */
export const SearchMap = Type.Object({
  sections: Type.Object({
    listings: Section,
    brands: Section,
    /** Only where a pin was targeted. */
    prices: Type.Optional(Section),
  }),
  degraded: Type.Boolean({ description: 'Some section is not what it should be' }),
  total: Type.Integer({ minimum: 0 }),
  truncated: Type.Boolean({ description: 'There are more hotels in the box than pins' }),
  targetMissing: Type.Optional(
    Type.Literal(true, { description: 'The targeted hotel is not, or no longer, among the pins' }),
  ),
  pins: Type.Array(MapPinVM, { maxItems: PINS_MAX }),
})

export type SearchMap = Static<typeof SearchMap>
