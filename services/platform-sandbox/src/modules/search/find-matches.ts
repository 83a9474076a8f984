import { FILTER_NAMES, type FilterName, type RowTest } from './filters/plan-filters.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { fewestRooms, type SearchPlan } from './plan-search.ts'

export interface Matches {
  readonly count: number
  /** The first `count` rows match; valid until the next search. */
  readonly rows: Int32Array
}

/** Searches run one after the other and share this buffer. */
let candidates = new Int32Array(8_192)

/** `without`: as if this filter were not set. */
export function findMatches(
  index: ListingIndex,
  plan: SearchPlan,
  without: FilterName | null = null,
): Matches {
  let count = collectVisible(index)
  for (const test of plan.tests) count = narrow(count, test)
  for (const name of FILTER_NAMES) {
    const test = plan.filters[name]
    if (test !== undefined && name !== without) count = narrow(count, test)
  }
  // Late, because it reads every night.
  count = narrow(count, (row) => fewestRooms(index, row, plan.nights) >= plan.rooms)
  const { bookableTest, rangeTest } = plan.prices
  if (bookableTest !== null) count = narrow(count, bookableTest)
  if (rangeTest !== null && without !== 'price') count = narrow(count, rangeTest)
  return { count, rows: candidates }
}

function collectVisible({ columns, firstRow, endRow }: ListingIndex): number {
  if (candidates.length < endRow) candidates = new Int32Array(columns.capacity)
  let count = 0
  for (let row = firstRow; row < endRow; row += 1) {
    if (columns.isVisible[row] === 1) {
      candidates[count] = row
      count += 1
    }
  }
  return count
}

function narrow(count: number, test: RowTest): number {
  let remaining = 0
  for (let at = 0; at < count; at += 1) {
    const row = candidates[at] ?? 0
    if (test(row)) {
      candidates[remaining] = row
      remaining += 1
    }
  }
  return remaining
}
