import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { minorToMicro, money, type ProblemCode, problem } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import type { ConsumerContext } from '../context.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { PageRequest, SearchFilters } from './search-query.ts'

export type Found = OutputOf<(typeof searchContract)['operations']['query']>

export interface FindListings {
  readonly deadline: Deadline
  readonly trace: TraceContext
}

/** Facets are counted once per question, with its first page. */
export async function findListings(
  ctx: ConsumerContext,
  page: PageRequest,
  { deadline: whole, trace }: FindListings,
): Promise<Found> {
  const { query, cursor, pageSize, locale, currency } = page
  using deadline = createDeadline(UPSTREAM_MS.search, { parent: whole.signal })
  try {
    return await ctx.upstreams.search.query(
      {
        body: {
          geo: query.geo,
          stay: query.dates,
          occupancy: query.occupancy,
          filters: upstreamFilters(query.filters),
          currency,
          sortKey: query.sortKey,
          limit: pageSize,
          ...(cursor === undefined ? { withFacets: true } : { cursor }),
        },
      },
      { deadline, trace, locale, currency },
    )
  } catch (error) {
    throw error instanceof UpstreamRefusal ? explainRefusal(error) : error
  }
}

function upstreamFilters({ priceRange, ...rest }: SearchFilters) {
  if (priceRange === undefined) return rest
  const { min, max, currency } = priceRange
  const micro = (minor: number) => String(minorToMicro(money(minor, currency)))
  return { ...rest, priceRange: { minMicro: micro(min), maxMicro: micro(max), currency } }
}

const POINTERS = {
  'MELMASTOON.SEARCH.CURSOR_INVALID': '/cursor',
  'MELMASTOON.SEARCH.AREA_INVALID': '/geo',
  'MELMASTOON.SEARCH.STAY_INVALID': '/dates',
  'MELMASTOON.SEARCH.PRICE_RANGE_INVALID': '/filters/priceRange',
} as const satisfies Partial<Record<ProblemCode, string>>

function isExplained(code: string | undefined): code is keyof typeof POINTERS {
  return code !== undefined && Object.hasOwn(POINTERS, code)
}

/** What the guest can mend is hers to hear; any other refusal is between the services. */
function explainRefusal(refusal: UpstreamRefusal) {
  const { code } = refusal
  if (!isExplained(code)) {
    return problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { cause: refusal })
  }
  const error = { pointer: POINTERS[code], code: 'refused', detail: 'cannot be searched for' }
  return problem(code, { errors: [error], cause: refusal })
}
