import { type Occupancy, readStay, StayQuery } from '@melmastoon/bff/stays'
import { type StayDates, throwIfInvalid, validateTextLength } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import { PLACE_KINDS, SEARCH_TEXT_MAX } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { boundingBox, geoQuery, PLACE_MEMBERS, placeFilters } from '../places/place-view.ts'

export const LIMIT_MAX = 20
export const LIMIT_DEFAULT = 8

const Suggestion = Type.Object({
  kind: Type.Enum([...PLACE_KINDS, 'property']),
  ...PLACE_MEMBERS,
  count: Type.Integer({
    minimum: 0,
    description:
      'Number of listed hotels that `geoQuery` and `filters` select; with a stay, the total of ' +
      'that search. 1 for a hotel',
  }),
  match: Type.Enum(['popular', 'exact', 'similar'], {
    description: '`similar`: the name does not contain the text, but sounds like it',
  }),
  boundingBox: Type.Optional(boundingBox()),
  geoQuery: Type.Optional(geoQuery()),
  filters: Type.Optional(placeFilters()),
  propertyId: Type.Optional(id('ppt')),
})

export type Suggestion = Static<typeof Suggestion>

export const Suggestions = Type.Object({
  suggestions: Type.Array(Suggestion, { maxItems: LIMIT_MAX }),
})

export type Suggestions = Static<typeof Suggestions>

/**
 * White space, case and the composition of letters do not distinguish places. Control characters
 * count as white space. Blank text is an empty query.
 * @throws Problem VALIDATION_FAILED for text that is too long after it.
 */
export function normalizeTyped(q: string): string {
  const typed = q
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toLowerCase()
  throwIfInvalid(validateTextLength(typed, SEARCH_TEXT_MAX.suggestion, '/query/q'))
  return typed
}

/** Without ages: they do not change which rooms a party fits into. */
const { checkIn, checkOut, adults, children, rooms } = StayQuery.properties
export const SuggestionStayQuery = { checkIn, checkOut, adults, children, rooms }

export type SuggestionStay = StayDates & Pick<Occupancy, 'adults' | 'children' | 'rooms'>

/** @throws Problem VALIDATION_FAILED with a pointer to each invalid parameter. */
export function readSuggestionStay(query: StayQuery, now: Date): SuggestionStay | null {
  const requested = readStay(query, now)
  return requested === undefined ? null : { ...requested.stay, ...requested.occupancy }
}
