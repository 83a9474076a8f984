import { withoutBlocked } from '@melmastoon/bff/tenants'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type Brands, readBrands } from '../brands/read-brands.ts'
import type { ConsumerContext } from '../context.ts'
import { criteriaOf } from '../search/criteria-of.ts'
import { explainRefusal } from '../search/explain-refusal.ts'
import type { PageFacts } from '../search/page-facts.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { MapRequest } from './plan-map.ts'
import { writeMap } from './write-map.ts'

export interface ComposeMap {
  readonly deadline: Deadline
  readonly trace: TraceContext
}

export interface FoundPins {
  readonly total: number
  readonly items: OutputOf<(typeof searchContract)['operations']['map']>['pins']
}

/** A map that lacks colours is asked for again soon, so that it has them when all is well. */
const INCOMPLETE_FRESH_MS = 2_000

/** Pins without a price: whichever is targeted gets one later, and only that one. */
export async function composeMap(
  ctx: ConsumerContext,
  map: MapRequest,
  call: ComposeMap,
): Promise<LoadResult> {
  const [answer] = await Promise.all([findPins(ctx, map, call), ctx.blocked.refresh()])
  const found = withoutBlocked(ctx, answer)
  const brands = await brandsOf(ctx, found, call)
  ctx.measures.sections.inc({ section: 'listings', status: 'fresh' })
  ctx.measures.sections.inc({ section: 'brands', status: brands.status })
  const { total, items } = found
  const facts: PageFacts = { total, items: items.length, priced: 0, pricesStaleFromMs: null }
  return {
    body: writeMap(found, brands),
    facts,
    ...(brands.status === 'missing' && { freshForMs: INCOMPLETE_FRESH_MS }),
  }
}

async function findPins(
  ctx: ConsumerContext,
  map: MapRequest,
  { deadline: whole, trace }: ComposeMap,
): Promise<FoundPins> {
  const { locale, currency, pageSize: limit } = map
  using deadline = createDeadline(UPSTREAM_MS.search, { parent: whole.signal })
  try {
    const { total, pins } = await ctx.upstreams.search.map(
      { body: { ...criteriaOf(map), limit } },
      { deadline, trace, locale, currency },
    )
    return { total, items: pins }
  } catch (error) {
    throw error instanceof UpstreamRefusal ? explainRefusal(error) : error
  }
}

async function brandsOf(
  ctx: ConsumerContext,
  { items }: FoundPins,
  { deadline: whole, trace }: ComposeMap,
): Promise<Brands> {
  using deadline = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const tenantIds = items.map(({ tenantId }) => tenantId)
  return await readBrands(ctx, tenantIds, { deadline, trace })
}
