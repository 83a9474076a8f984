import type { ListingIndex } from '../index/listing-index.ts'
import { totalsOf } from '../index/place-totals.ts'
import { WORDS_MAX } from '../index/token-index.ts'
import { wordsOf } from '../text/normalize-text.ts'
import { describePlace } from './describe-place.ts'
import { matchHotels } from './match-hotels.ts'
import { matchPlaces, type PlaceMatch } from './match-places.ts'
import type { Suggestion } from './suggestion.ts'

const LIMIT = 8
/** Places before hotels, larger places first. */
const KIND_RANK = { city: 0, region: 1, neighbourhood: 2, landmark: 3, property: 4 } as const

interface Candidate {
  readonly suggestion: Suggestion
  readonly isExact: boolean
  readonly rank: number
  readonly weight: number
}

export function suggestNames(index: ListingIndex, q: string, limit = LIMIT): Suggestion[] {
  const words = wordsOf(q).slice(0, WORDS_MAX)
  if (words.length === 0) return q.trim() === '' ? popularPlaces(index, limit) : []
  const places = matchPlaces(index, words).flatMap((match) => toCandidate(index, match))
  const hotels = matchHotels(index, words, limit)
  const found: Candidate[] = [...places, ...hotels]
  const first = found.toSorted(compareCandidates).slice(0, limit)
  return first.map(({ suggestion, isExact }) => ({
    ...suggestion,
    match: isExact ? 'exact' : 'similar',
  }))
}

/** A place without hotels is not suggested. */
function toCandidate(index: ListingIndex, { place, rank, isExact }: PlaceMatch): Candidate[] {
  const suggestion = describePlace(index, place)
  const weight = suggestion.properties
  return weight === 0 ? [] : [{ suggestion, isExact, rank, weight }]
}

/** Names with the text before similar ones. */
function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.isExact !== b.isExact) return a.isExact ? -1 : 1
  if (a.rank !== b.rank) return a.rank - b.rank
  const kinds = KIND_RANK[a.suggestion.kind] - KIND_RANK[b.suggestion.kind]
  if (kinds !== 0) return kinds
  if (a.weight !== b.weight) return b.weight - a.weight
  return a.suggestion.key < b.suggestion.key ? -1 : 1
}

/** The cities whose hotels are viewed and booked most. */
export function popularPlaces(index: ListingIndex, limit = LIMIT): Suggestion[] {
  const cities = index.places.all.flatMap(({ place }) => (place.kind === 'city' ? place : []))
  const weighed = cities.map((place) => ({ place, ...totalsOf(index, place) }))
  const popular = weighed
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.popularity - a.popularity || (a.place.key < b.place.key ? -1 : 1))
  return popular.slice(0, limit).map(({ place }) => ({
    ...describePlace(index, place),
    match: 'popular',
  }))
}
