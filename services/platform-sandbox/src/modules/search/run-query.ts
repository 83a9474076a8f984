import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { chordSquaredToKm } from './area/sphere.ts'
import { describeFacets } from './describe-facets.ts'
import { findMatches, type Matches } from './find-matches.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { readCursor, writeCursor } from './paging/cursor.ts'
import { describeQuery } from './paging/describe-query.ts'
import { selectPage } from './paging/select-page.ts'
import { type SortKey, sortKeyFor } from './paging/sort-key.ts'
import { fewestRooms, planSearch, type SearchPlan } from './plan-search.ts'
import { chordAt, explainScore, type Scored } from './ranking/score.ts'
import { describePlace } from './suggest/describe-place.ts'
import { proposeAlternatives } from './suggest/propose-alternatives.ts'

type Query = typeof searchContract.operations.query
export type SearchRequest = InputOf<Query>['body']
export type SearchResult = Omit<OutputOf<Query>, 'degradationLevel' | 'indexedAt'>
type Hit = SearchResult['items'][number]

const METRES_PER_KM = 1_000

export function runQuery(index: ListingIndex, request: SearchRequest, now: Date): SearchResult {
  const { sortKey, limit, cursor } = request
  const plan = planSearch(index, request, now)
  const query = describeQuery(request, sortKey)
  const after = cursor === undefined ? null : readCursor(cursor, query)
  // Before the matches, which are valid until the next search.
  const facets = request.withFacets ? describeFacets(index, plan, request.currency) : null
  const matches = findMatches(index, plan)
  const total = matches.count
  const bookableTotal = countBookable(plan, matches)
  const keyOf = sortKeyFor(index, plan, sortKey)
  const page = selectPage(index, matches, { limit, after, keyOf })
  return {
    total,
    bookableTotal,
    items: page.items.map((scored) => describeHit(index, plan, { ...scored, sortKey })),
    ...(page.end !== null && { nextCursor: writeCursor(page.end, query) }),
    ...facets,
    ...(plan.area.place !== null && {
      place: { ...describePlace(index, plan.area.place), properties: total },
    }),
    ...(total === 0 &&
      after === null && { alternatives: proposeAlternatives(index, request, now) }),
  }
}

function countBookable({ prices }: SearchPlan, { rows, count }: Matches): number {
  let bookable = 0
  for (let at = 0; at < count; at += 1) if (prices.shown.isBookable(rows[at] ?? 0)) bookable += 1
  return bookable
}

function describeHit(
  index: ListingIndex,
  plan: SearchPlan,
  { sortKey, ...scored }: Scored & { sortKey: SortKey },
): Hit {
  const { live } = scored
  const reasons = explainScore(index, plan, scored)
  const distanceKm = distanceOf(index, plan, { live, sortKey })
  return {
    ...index.listingOf(live),
    ...(distanceKm !== null && { distanceKm }),
    roomsLeft: Math.max(0, fewestRooms(index, live, plan.nights)),
    score: reasons.reduce((sum, { weight }) => sum + weight, 0),
    reasons,
  }
}

/**
 * The distance from the requested point, from the centre of the requested city or neighbourhood,
 * or from the centre of any area when sorting by distance.
 */
function distanceOf(
  index: ListingIndex,
  { area }: SearchPlan,
  { live, sortKey }: { live: number; sortKey: SortKey },
): number | null {
  if (area.centre === null) return null
  const hasOrigin = area.radiusChord !== null || (area.place && area.place.kind !== 'region')
  if (!hasOrigin && sortKey !== 'distance-asc') return null
  const km = chordSquaredToKm(chordAt(index, area.centre, live))
  return Math.round(km * METRES_PER_KM) / METRES_PER_KM
}
