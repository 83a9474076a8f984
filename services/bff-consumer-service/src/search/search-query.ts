import type { Occupancy } from '@melmastoon/bff/stays'
import type { CurrencyCode, Locale, StayDates } from '@melmastoon/domain'
import type { GeoArea, SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import type { SearchBody } from './search-fields.ts'

export type SortKey = (typeof SORT_KEYS)[number]
export type SearchFilters = NonNullable<SearchBody['filters']>

/** A question in the one form that all ways to ask it come down to. */
export interface SearchQuery {
  readonly geo: GeoArea
  readonly dates: StayDates
  readonly occupancy: Static<typeof Occupancy>
  readonly filters: SearchFilters
  readonly sortKey: SortKey
}

/** One page of one question's answer, or its map, for one language and one currency. */
export interface PageRequest {
  readonly kind: 'list' | 'map'
  readonly query: SearchQuery
  readonly cursor: string | undefined
  readonly pageSize: number
  readonly locale: Locale
  readonly currency: CurrencyCode
  /** The query alone, the same on all of its pages. */
  readonly queryText: string
  /** SHA-256 of it (domain model §2.2). */
  readonly queryHash: string
  /** The query with its page; equal for equal answers. */
  readonly pageKey: string
  /** What the answer is kept by. Frozen, because a plan outlives its request. */
  readonly dims: Readonly<Record<'locale' | 'currency' | 'query', string>>
  /** Whatever changes at the place that was asked about renews the answer. */
  readonly tags: readonly string[]
}
