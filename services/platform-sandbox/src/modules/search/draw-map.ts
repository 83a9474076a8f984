import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { findMatches } from './find-matches.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { selectPage } from './paging/select-page.ts'
import { sortKeyFor } from './paging/sort-key.ts'
import { planSearch } from './plan-search.ts'

type MapOperation = typeof searchContract.operations.map
type MapResult = Pick<OutputOf<MapOperation>, 'total' | 'pins'>

/** The pins with the highest rank; deterministic for the same query. */
export function drawMap(
  index: ListingIndex,
  request: InputOf<MapOperation>['body'],
  now: Date,
): MapResult {
  const plan = planSearch(index, request, now)
  const matches = findMatches(index, plan)
  const total = matches.count
  const keyOf = sortKeyFor(index, plan, 'recommended')
  const { items } = selectPage(index, matches, { limit: request.limit, after: null, keyOf })
  const pins = items.map(({ live }) => {
    const { propertyId, tenantId, geo } = index.documentOf(live)
    return { propertyId, tenantId, geo }
  })
  return { total, pins }
}
