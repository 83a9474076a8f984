import { withoutBlocked } from '@melmastoon/bff/tenants'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { settleSections } from '@melmastoon/chassis/upstream'
import { readBrands } from '../brands/read-brands.ts'
import type { ConsumerContext } from '../context.ts'
import { rememberPlaces } from '../places/remember-places.ts'
import { readRates } from '../rates/read-rates.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import { type Found, findListings } from './find-listings.ts'
import { judgeSections, type PageParts } from './judge-sections.ts'
import type { PageFacts } from './page-facts.ts'
import type { PageRequest } from './search-query.ts'
import { writePage } from './write-page.ts'

export interface ComposePage {
  readonly deadline: Deadline
  readonly trace: TraceContext
}

/** A page that lacks something is asked for again soon, so that it shows when all is well again. */
const INCOMPLETE_FRESH_MS = 2_000

/** Listings first, then prices and brands at once. Only the listings are worth waiting for. */
export async function composePage(
  ctx: ConsumerContext,
  page: PageRequest,
  call: ComposePage,
): Promise<LoadResult> {
  const [answer] = await Promise.all([findListings(ctx, page, call), ctx.blocked.refresh()])
  const found = withoutBlocked(ctx, answer)
  rememberPlaces(ctx.places, found.items)
  const parts = await enrich(ctx, page, { ...call, found })
  const sections = judgeSections(parts, ctx.clock.nowMs())
  for (const [section, { status }] of Object.entries(sections)) {
    ctx.measures.sections.inc({ section, status })
  }
  const isIncomplete = Object.values(sections).some(({ status }) => status === 'missing')
  const view = {
    cards: ctx.cards,
    locale: page.locale,
    region: ctx.config.region,
    now: ctx.clock.now(),
  }
  return {
    body: writePage(parts, sections, view),
    facts: listFacts(parts),
    ...(isIncomplete && { freshForMs: INCOMPLETE_FRESH_MS }),
  }
}

function listFacts({ found, rates }: PageParts): PageFacts {
  return {
    total: found.total,
    items: found.items.length,
    priced: rates?.byProperty.size ?? 0,
    pricesStaleFromMs: rates?.staleFromMs ?? null,
  }
}

async function enrich(
  ctx: ConsumerContext,
  page: PageRequest,
  { found, deadline: whole, trace }: ComposePage & { readonly found: Found },
): Promise<PageParts> {
  if (found.items.length === 0) return { found, rates: undefined, brands: undefined }
  using pricing = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  using theme = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const propertyIds = found.items.map((hit) => hit.propertyId)
  const tenantIds = found.items.map((hit) => hit.tenantId)
  const settled = await settleSections(
    {
      rates: readRates(ctx, page, { propertyIds, deadline: pricing, trace }),
      brands: readBrands(ctx, tenantIds, { deadline: theme, trace }),
    },
    ctx.reportSection,
  )
  return { found, rates: settled.rates.value, brands: settled.brands.value }
}
