import type { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import type { ListingIndex } from '../index/listing-index.ts'
import type { SearchPlan } from '../plan-search.ts'
import { chordAt, type Scored, scoreOf } from '../ranking/score.ts'

export type SortKey = (typeof SORT_KEYS)[number]

/** After all listings that can be booked. */
const UNPRICED = Number.MAX_VALUE
/** More than the highest score. */
const UNBOOKABLE = 1_000_000
/** More ratings of the same value come first; no hotel has this many. */
const RATINGS_MAX = 1_000_000

/** The sort key, smallest first; equal ones by id, so that the order is total. */
export function sortKeyFor(
  index: ListingIndex,
  plan: SearchPlan,
  sortKey: SortKey,
): (scored: Scored) => number {
  const { columns } = index
  const { shown } = plan.prices
  switch (sortKey) {
    case 'recommended':
      return (scored) =>
        (shown.isBookable(scored.row) ? 0 : UNBOOKABLE) - scoreOf(index, plan, scored)
    case 'price-asc':
      return ({ row }) => shown.orderOf(row) ?? UNPRICED
    case 'price-desc':
      return ({ row }) => -(shown.orderOf(row) ?? -UNPRICED)
    case 'rating-desc':
      return ({ row }) => -ratingOf(columns.rating[row] ?? 0, columns.ratingCount[row] ?? 0)
    case 'distance-asc': {
      const { centre } = plan.area
      return ({ row }) => (centre === null ? 0 : chordAt(index, centre, row))
    }
  }
}

function ratingOf(value: number, count: number): number {
  return Math.round(value * 100) * RATINGS_MAX + Math.min(count, RATINGS_MAX - 1)
}
