import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { planArea } from '../area/plan-area.ts'
import { chordSquared, chordSquaredToKm, toUnitVector, type UnitVector } from '../area/sphere.ts'
import { findMatches } from '../find-matches.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import type { Place } from '../index/places.ts'
import { type Criteria, planSearch } from '../plan-search.ts'
import { wordsOf } from '../text/normalize-text.ts'
import { describePlace } from './describe-place.ts'
import { similarPlaces } from './match-places.ts'

type Found = OutputOf<typeof searchContract.operations.query>
type Alternative = NonNullable<Found['alternatives']>[number]

const ALTERNATIVES_MAX = 5

/**
 * Where to search instead. The name of an unknown place may be mistyped: places with a similar
 * name. Otherwise the nearest cities with matching hotels, or the largest where the place is
 * unknown. The stay, party and filters remain, except neighbourhoods and text, which belong to a
 * place.
 */
export function proposeAlternatives(
  index: ListingIndex,
  criteria: Criteria,
  now: Date,
): Alternative[] {
  const similar = similarNames(index, criteria, now)
  if (similar.length > 0) return similar
  const { centre } = planArea(index, criteria.geo)
  const cities = matchingCities(index, criteria, now)
  if (centre === null) {
    return cities
      .toSorted((a, b) => b.count - a.count || (a.place.key < b.place.key ? -1 : 1))
      .slice(0, ALTERNATIVES_MAX)
      .map(({ place, count }) => alternative(index, place, { count, because: 'popular' }))
  }
  return cities
    .map((city) => ({ ...city, distanceKm: kmFrom(centre, city.place) }))
    .toSorted((a, b) => a.distanceKm - b.distanceKm)
    .slice(0, ALTERNATIVES_MAX)
    .map(({ place, ...rest }) => alternative(index, place, { ...rest, because: 'nearby' }))
}

function similarNames(index: ListingIndex, criteria: Criteria, now: Date): Alternative[] {
  const { geo } = criteria
  if (geo.mode !== 'city' && geo.mode !== 'region') return []
  if (planArea(index, geo).place !== null) return []
  const words = wordsOf(geo.mode === 'city' ? geo.city : geo.region)
  return similarPlaces(index, words)
    .filter(({ place }) => place.kind === 'city' || place.kind === 'region')
    .toSorted((a, b) => a.rank - b.rank || (a.place.kind < b.place.kind ? -1 : 1))
    .map(({ place }) => ({ place, count: countAt(index, { criteria, place }, now) }))
    .filter(({ count }) => count > 0)
    .slice(0, ALTERNATIVES_MAX)
    .map(({ place, count }) => alternative(index, place, { count, because: 'similar_name' }))
}

/** The total of the search that the place stands for. */
export function countAt(
  index: ListingIndex,
  { criteria, place }: { criteria: Omit<Criteria, 'geo'>; place: Place },
  now: Date,
): number {
  const { geo, neighbourhoods } = describePlace(index, place).search
  const filters = { ...withoutPlaces(criteria.filters), ...(neighbourhoods && { neighbourhoods }) }
  return findMatches(index, planSearch(index, { ...criteria, geo, filters }, now)).count
}

function withoutPlaces(filters: Criteria['filters']): Criteria['filters'] {
  const { neighbourhoods: _, text: __, ...rest } = filters
  return rest
}

const EVERYWHERE: Criteria['geo'] = {
  mode: 'bounding-box',
  boundingBox: { swLat: -90, swLng: -180, neLat: 90, neLng: 180 },
}

interface MatchingCity {
  readonly place: Place
  readonly count: number
}

/** One search over all hotels, counted by city. */
function matchingCities(index: ListingIndex, criteria: Criteria, now: Date): MatchingCity[] {
  const filters = withoutPlaces(criteria.filters)
  const plan = planSearch(index, { ...criteria, geo: EVERYWHERE, filters }, now)
  const { rows, count } = findMatches(index, plan)
  const counts = new Int32Array(index.cities.size)
  for (let at = 0; at < count; at += 1) {
    const city = index.columns.city[rows[at] ?? 0] ?? 0
    counts[city] = (counts[city] ?? 0) + 1
  }
  return index.cities.words.flatMap((key, number) => {
    const place = index.places.get('city', key)
    const found = counts[number] ?? 0
    return place === undefined || found === 0 ? [] : [{ place, count: found }]
  })
}

function alternative(
  index: ListingIndex,
  place: Place,
  { count, ...why }: { count: number; because: Alternative['because']; distanceKm?: number },
): Alternative {
  return { ...describePlace(index, place), properties: count, ...why }
}

function kmFrom(centre: UnitVector, place: Place): number {
  return Math.round(chordSquaredToKm(chordSquared(centre, toUnitVector(place))) * 10) / 10
}
