import { fieldError, throwIfInvalid, validateTextLength } from '@melmastoon/domain'
import { Geo, id, text } from '@melmastoon/upstream-contracts'
import { GeoArea, SEARCH_TEXT_MAX } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'

export const LIMIT_MAX = 20
export const LIMIT_DEFAULT = 8

const Suggestion = Type.Object({
  kind: Type.Enum(['city', 'region', 'neighbourhood', 'property']),
  key: text(120),
  name: Type.String({ description: 'In the language of the response' }),
  country: Type.String(),
  geo: Geo,
  count: Type.Integer({ minimum: 0, description: 'Number of hotels there' }),
  geoQuery: Type.Optional(
    Type.Unsafe<GeoArea>({ ...GeoArea, description: 'The `geo` of a search for this place' }),
  ),
  propertyId: Type.Optional(id('ppt')),
})

export type Suggestion = Static<typeof Suggestion>

export const Suggestions = Type.Object({
  suggestions: Type.Array(Suggestion, { maxItems: LIMIT_MAX }),
})

export type Suggestions = Static<typeof Suggestions>

const Q_AT = '/query/q'

/**
 * White space, case and the composition of letters do not distinguish places. Control characters
 * count as white space.
 * @throws Problem VALIDATION_FAILED for blank text, and for text that is too long after it.
 */
export function normalizeTyped(q: string): string {
  const typed = q
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toLowerCase()
  if (typed === '') throwIfInvalid([fieldError(Q_AT, 'blank', 'must not be blank')])
  throwIfInvalid(validateTextLength(typed, SEARCH_TEXT_MAX.suggestion, Q_AT))
  return typed
}
