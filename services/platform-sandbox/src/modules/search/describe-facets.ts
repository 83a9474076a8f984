import type { CurrencyCode } from '@melmastoon/domain'
import type { FacetNames, FacetRanges } from '@melmastoon/upstream-contracts/search'
import { minorUnitOf } from '../pricing/module.ts'
import { countFacets, type FacetCounts } from './count-facets.ts'
import { findMatches, type Matches } from './find-matches.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { nameFacets } from './list-facets.ts'
import type { SearchPlan } from './plan-search.ts'

export interface DescribedFacets {
  readonly facets: FacetCounts
  readonly facetNames: FacetNames
  readonly facetRanges: FacetRanges
}

/** A search of more hotels has no distribution of prices: each of them would have to be priced. */
const PRICED_MAX = 2_000
const PRICE_BUCKETS = 12
const RATING_MAX = 10

export function describeFacets(
  index: ListingIndex,
  plan: SearchPlan,
  currency: CurrencyCode,
): DescribedFacets {
  const facets = countFacets(index, plan)
  return {
    facets,
    facetNames: nameFacets(index, facets),
    facetRanges: {
      ...priceRange(index, plan, currency),
      ...ratingRange(index, findMatches(index, plan, 'guestRating')),
    },
  }
}

function priceRange(
  index: ListingIndex,
  plan: SearchPlan,
  currency: CurrencyCode,
): Pick<FacetRanges, 'price'> {
  const matches = findMatches(index, plan, 'price')
  if (matches.count > PRICED_MAX) return {}
  const prices: number[] = []
  for (const row of matches.rows.subarray(0, matches.count)) {
    const price = plan.prices.shown.priceOf(row)
    if (price?.currency === currency) prices.push(price.cheapestNightMinor)
  }
  if (prices.length === 0) return {}
  const [min, max] = [Math.min(...prices), Math.max(...prices)]
  const step = roundStep((max - min) / PRICE_BUCKETS)
  const micro = (minor: number) => String(BigInt(minor) * minorUnitOf(currency))
  const buckets = bucketsOf(prices, { from: Math.floor(min / step) * step, step })
  return {
    price: {
      currency,
      min: micro(min),
      max: micro(max),
      buckets: buckets.map(({ from, to, count }) => ({ from: micro(from), to: micro(to), count })),
    },
  }
}

/** By whole points. */
function ratingRange(
  { columns }: ListingIndex,
  matches: Matches,
): Pick<FacetRanges, 'guestRating'> {
  const ratings: number[] = []
  for (const row of matches.rows.subarray(0, matches.count)) {
    const rating = columns.rating[row] ?? 0
    if (rating > 0) ratings.push(rating)
  }
  if (ratings.length === 0) return {}
  const min = Math.min(...ratings)
  // A rating of ten points belongs to the last bucket.
  const whole = ratings.map((rating) => Math.min(rating, RATING_MAX - 1))
  const buckets = bucketsOf(whole, { from: Math.floor(Math.min(...whole)), step: 1 })
  return { guestRating: { min, max: Math.max(...ratings), buckets } }
}

/** The next of 1, 2, 5, 10, 20, 50, … minor units, so that the bounds are round numbers. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, step)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= step) ?? power
}

interface Grid {
  readonly from: number
  readonly step: number
}

function bucketsOf(values: readonly number[], { from, step }: Grid) {
  const positions = values.map((value) => Math.floor((value - from) / step))
  const counts = Array.from({ length: Math.max(...positions) + 1 }, () => 0)
  for (const at of positions) counts[at] = (counts[at] ?? 0) + 1
  return counts.map((count, at) => ({
    from: from + at * step,
    to: from + (at + 1) * step,
    count,
  }))
}
