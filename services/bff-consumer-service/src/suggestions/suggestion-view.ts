import { Geo, id, text } from '@melmastoon/upstream-contracts'
import { GeoArea } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'

export const LIMIT_MAX = 20
export const LIMIT_DEFAULT = 8

const Suggestion = Type.Object({
  kind: Type.Enum(['city', 'region', 'neighbourhood', 'property']),
  key: text(120),
  name: Type.String({ description: 'In the language of the answer' }),
  country: Type.String(),
  geo: Geo,
  count: Type.Integer({ minimum: 0, description: 'Hotels there' }),
  geoQuery: Type.Optional(
    Type.Unsafe<GeoArea>({ ...GeoArea, description: 'Of a place: ready to be searched' }),
  ),
  propertyId: Type.Optional(id('ppt')),
})

export type Suggestion = Static<typeof Suggestion>

export const Suggestions = Type.Object({
  suggestions: Type.Array(Suggestion, { maxItems: LIMIT_MAX }),
})

export type Suggestions = Static<typeof Suggestions>
