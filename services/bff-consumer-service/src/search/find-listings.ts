import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import type { ConsumerContext } from '../context.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import { criteriaOf } from './criteria-of.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { PageRequest } from './search-query.ts'

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
          ...criteriaOf(page),
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
