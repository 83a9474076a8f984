import { minorToMicro, money } from '@melmastoon/domain'
import type { PageRequest, SearchFilters } from './search-query.ts'

/** What a list and a map of the same question ask the search service alike. */
export function criteriaOf({ query, currency }: Pick<PageRequest, 'query' | 'currency'>) {
  const { geo, dates, occupancy, filters } = query
  return { geo, stay: dates, occupancy, filters: upstreamFilters(filters), currency }
}

function upstreamFilters({ priceRange, ...rest }: SearchFilters) {
  if (priceRange === undefined) return rest
  const { min, max, currency } = priceRange
  const micro = (minor: number) => String(minorToMicro(money(minor, currency)))
  return { ...rest, priceRange: { minMicro: micro(min), maxMicro: micro(max), currency } }
}
