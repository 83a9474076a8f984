import { countSections } from '@melmastoon/bff/sections'
import { type BlockedTenants, withoutBlocked } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import type { IsoDate } from '@melmastoon/domain'
import { type BrandDeps, readBrands } from '../brands/read-brands.ts'
import type { CardCache } from '../cards/write-card.ts'
import { type DerivedDeps, peekDerived, readDerived } from '../derived-responses/read-derived.ts'
import { cachePlaces, EVERY_PAGE, type Places, summaryTags } from '../places/place-tags.ts'
import { type RateDeps, type Rates, readRates } from '../rates/read-rates.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import { type FindDeps, type Found, findListings } from './find-listings.ts'
import type { PageRequest } from './search-query.ts'
import { agingOf, factsOf, type PageCache, type PageFacts, type ServedPage } from './served-page.ts'
import { type PageSources, sectionsOf, writePage } from './write-page.ts'

type ComposeDeps = FindDeps &
  BrandDeps &
  RateDeps & {
    readonly blocked: BlockedTenants
    readonly places: Places
    readonly cards: CardCache
    readonly config: { readonly region: string }
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
    readonly reportSection: ReportSection
  }

export type SearchDeps = ComposeDeps & DerivedDeps & { readonly pages: PageCache }

/** The page, if this process has it in memory. */
export function peekPage(deps: SearchDeps, page: PageRequest): ServedPage | undefined {
  const origin = deps.pages.peek(page.dims, page.tags)
  if (origin === undefined) return undefined
  const facts = factsOf(origin)
  const aging = agingOf(origin, facts, deps.clock.nowMs())
  if (aging === null) return { bytes: origin, origin, facts }
  const bytes = peekDerived(deps, origin, aging)
  return bytes && { bytes, origin, facts }
}

export async function readPage(
  deps: SearchDeps,
  page: PageRequest,
  { deadline, trace }: UpstreamCall,
): Promise<ServedPage> {
  const origin = await deps.pages
    .get({
      dims: page.dims,
      tags: page.tags,
      deadline,
      // With a deadline of its own: the load outlives the request that started it (D10).
      load: (_signal, loadDeadline) => composePage(deps, page, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
  const facts = factsOf(origin)
  const aging = agingOf(origin, facts, deps.clock.nowMs())
  const bytes = aging === null ? origin : await readDerived(deps, origin, aging)
  return { bytes, origin, facts }
}

/** An incomplete page expires soon, so that it is complete soon after the upstream recovers. */
const INCOMPLETE_FRESH_MS = 2_000

/** Listings first, then prices and brands in parallel. Only the listings are indispensable. */
async function composePage(
  deps: ComposeDeps,
  page: PageRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const [response] = await Promise.all([
    findListings(deps, page, call),
    deps.blocked.refreshIfOld(),
  ])
  const found = withoutBlocked(deps, response)
  cachePlaces(deps.places, found.items)
  const sources = await enrich(deps, page, { ...call, found })
  const sections = sectionsOf(sources, deps.clock.nowMs())
  countSections(deps.measures.sections, sections)
  const isIncomplete = Object.values(sections).some(({ status }) => status === 'missing')
  const today = deps.clock.now().toISOString().slice(0, 10) as IsoDate
  const options = { cards: deps.cards, locale: page.locale, region: deps.config.region, today }
  return {
    body: writePage(sources, sections, options),
    facts: factsOfSources(sources),
    ...((isIncomplete || isOtherSpelling(page, found)) && { freshForMs: INCOMPLETE_FRESH_MS }),
  }
}

/**
 * The tags of a page name the place as it was typed. A change of a hotel invalidates its names,
 * not every spelling of them, so a page by another spelling is soon loaded again.
 */
function isOtherSpelling({ tags }: PageRequest, { place }: Found): boolean {
  if (place === undefined) return false
  const known = summaryTags(place)
  return !tags.some((tag) => tag !== EVERY_PAGE && known.includes(tag))
}

function factsOfSources({ found, rates }: PageSources): PageFacts {
  return {
    total: found.total,
    items: found.items.length,
    priced: rates === undefined ? 0 : countBookable(rates),
    pricesStaleFromMs: rates?.staleFromMs ?? null,
  }
}

function countBookable({ byProperty }: Rates): number {
  let count = 0
  for (const { kind } of byProperty.values()) if (kind === 'bookable') count += 1
  return count
}

async function enrich(
  deps: ComposeDeps,
  page: PageRequest,
  { found, deadline: whole, trace }: UpstreamCall & { readonly found: Found },
): Promise<PageSources> {
  if (found.items.length === 0) return { found, rates: undefined, brands: undefined }
  using pricing = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  using theme = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const propertyIds = found.items.map((hit) => hit.propertyId)
  const tenantIds = found.items.map((hit) => hit.tenantId)
  const settled = await settleSections(
    {
      rates: readRates(deps, page, { propertyIds, deadline: pricing, trace }),
      brands: readBrands(deps, tenantIds, { deadline: theme, trace }),
    },
    deps.reportSection,
  )
  return { found, rates: settled.rates.value, brands: settled.brands.value }
}
