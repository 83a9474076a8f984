import type { InputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import type { ListingIndex } from '../index/listing-index.ts'
import type { Criteria } from '../plan-search.ts'
import { countAt } from './propose-alternatives.ts'
import type { Suggestion } from './suggestion.ts'

type Query = InputOf<typeof searchContract.operations.suggest>['query']

/** With a stay, a suggestion has the total of the search it leads to. */
export function countForStay(
  index: ListingIndex,
  { suggestions, query }: { suggestions: readonly Suggestion[]; query: Query },
  now: Date,
): Suggestion[] {
  const criteria = criteriaOf(query)
  if (criteria === null) return [...suggestions]
  return suggestions.map((suggestion) => {
    const { kind, key } = suggestion
    const place = kind === 'property' ? undefined : index.places.get(kind, key)
    if (place === undefined) return suggestion
    return { ...suggestion, properties: countAt(index, { criteria, place }, now) }
  })
}

function criteriaOf({
  checkIn,
  checkOut,
  adults,
  children,
  rooms,
}: Query): Omit<Criteria, 'geo'> | null {
  if (checkIn === undefined || checkOut === undefined) return null
  return {
    stay: { checkIn, checkOut },
    occupancy: { adults: adults ?? 1, children: children ?? 0, rooms: rooms ?? 1 },
    filters: {},
    currency: 'USD',
  }
}
