import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type FieldError, minorToMicro, money, type ProblemCode, problem } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'
import type { PageRequest, SearchFilters } from './search-query.ts'

export type Found = OutputOf<(typeof searchContract)['operations']['query']>

export interface FindDeps {
  readonly upstreams: Pick<Upstreams, 'search'>
}

/** Facets are requested with the first page only. */
export async function findListings(
  { upstreams }: FindDeps,
  page: PageRequest,
  { deadline: whole, trace }: UpstreamCall,
): Promise<Found> {
  const { query, cursor, pageSize, locale, currency } = page
  using deadline = createDeadline(UPSTREAM_MS.search, { parent: whole.signal })
  const body = {
    ...criteriaOf(page),
    sortKey: query.sortKey,
    limit: pageSize,
    ...(cursor === undefined ? { withFacets: true } : { cursor }),
  }
  const call = { deadline, trace, locale, currency }
  return await upstreams.search.query({ body }, call).catch(asSearchProblem)
}

/** The members of an upstream request that a list and a map have in common. */
export function criteriaOf({ query, currency }: Pick<PageRequest, 'query' | 'currency'>) {
  const { geo, dates, occupancy, filters } = query
  return { geo, stay: dates, occupancy, filters: upstreamFilters(filters), currency }
}

function upstreamFilters({ priceRange, ...rest }: SearchFilters) {
  if (priceRange === undefined) return rest
  const { per, min, max, currency } = priceRange
  const micro = (minor: number) => String(minorToMicro(money(minor, currency)))
  const bounds = { minMicro: micro(min), maxMicro: micro(max), currency }
  return { ...rest, priceRange: { ...(per && { per }), ...bounds } }
}

const UNSEARCHABLE = { code: 'refused', detail: 'is not accepted by the search service' }

const FIELD_ERRORS = {
  'MELMASTOON.SEARCH.CURSOR_INVALID': {
    pointer: '/cursor',
    code: 'refused',
    detail: 'is not the nextCursor of this search',
  },
  'MELMASTOON.SEARCH.AREA_INVALID': { pointer: '/geo', ...UNSEARCHABLE },
  'MELMASTOON.SEARCH.STAY_INVALID': { pointer: '/dates', ...UNSEARCHABLE },
  'MELMASTOON.SEARCH.PRICE_RANGE_INVALID': { pointer: '/filters/priceRange', ...UNSEARCHABLE },
} as const satisfies Partial<Record<ProblemCode, FieldError>>

/** For `catch`: errors that the client can correct are reported to it, others are ours. */
export function asSearchProblem(error: unknown): never {
  if (!(error instanceof UpstreamRejection)) throw error
  const { code } = error
  if (!isFieldError(code)) throw fromUpstreamRejection(error)
  throw problem(code, { errors: [FIELD_ERRORS[code]], cause: error })
}

function isFieldError(code: string | undefined): code is keyof typeof FIELD_ERRORS {
  return code !== undefined && Object.hasOwn(FIELD_ERRORS, code)
}
