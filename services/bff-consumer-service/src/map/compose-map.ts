import { countSections, FRESH_SECTION, isDegraded, sectionOf } from '@melmastoon/bff/sections'
import { type BlockedTenants, withoutBlocked } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type BrandPeekVM, NEUTRAL_COLOR } from '../brands/brand-peek.ts'
import { type BrandDeps, type Brands, readBrands } from '../brands/read-brands.ts'
import { asSearchProblem, criteriaOf, type FindDeps } from '../search/find-listings.ts'
import type { PageFacts } from '../search/served-page.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { MapPinVM, SearchMap } from './map-schema.ts'
import type { MapRequest } from './plan-map.ts'

export type ComposeMapDeps = FindDeps &
  BrandDeps & {
    readonly blocked: BlockedTenants
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

export interface FoundPins {
  readonly total: number
  readonly items: OutputOf<(typeof searchContract)['operations']['map']>['pins']
}

/** A map without colours expires soon, so that it has them soon after the upstream recovers. */
const INCOMPLETE_FRESH_MS = 2_000

/** Pins without a price: the targeted pin gets its price when the response is derived. */
export async function composeMap(
  deps: ComposeMapDeps,
  map: MapRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const [response] = await Promise.all([findPins(deps, map, call), deps.blocked.refresh()])
  const found = withoutBlocked(deps, response)
  const brands = await readPinBrands(deps, found, call)
  const sections = { listings: FRESH_SECTION, brands: sectionOf(brands) }
  countSections(deps.measures.sections, sections)
  const { total, items } = found
  const facts: PageFacts = { total, items: items.length, priced: 0, pricesStaleFromMs: null }
  return {
    body: writeMap(found, sections, brands),
    facts,
    ...(brands.status === 'missing' && { freshForMs: INCOMPLETE_FRESH_MS }),
  }
}

async function findPins(
  { upstreams }: FindDeps,
  map: MapRequest,
  { deadline: whole, trace }: UpstreamCall,
): Promise<FoundPins> {
  const { locale, currency, pageSize: limit } = map
  using deadline = createDeadline(UPSTREAM_MS.search, { parent: whole.signal })
  const body = { ...criteriaOf(map), limit }
  const call = { deadline, trace, locale, currency }
  const { total, pins } = await upstreams.search.map({ body }, call).catch(asSearchProblem)
  return { total, items: pins }
}

async function readPinBrands(
  deps: BrandDeps,
  { items }: FoundPins,
  { deadline: whole, trace }: UpstreamCall,
): Promise<Brands> {
  using deadline = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const tenantIds = items.map(({ tenantId }) => tenantId)
  return await readBrands(deps, tenantIds, { deadline, trace })
}

/**
 * The map as JSON text. Derived responses rely on this order of members, and on the absence of
 * free text.
 */
export function writeMap(
  { total, items }: FoundPins,
  sections: SearchMap['sections'],
  { byTenant }: Pick<Brands, 'byTenant'>,
): string {
  const map: SearchMap = {
    sections,
    degraded: isDegraded(sections),
    total,
    truncated: total > items.length,
    pins: items.map(({ propertyId, tenantId, geo }): MapPinVM => {
      const { lat, lng } = geo
      return { propertyId, geo: { lat, lng }, brandColor: colorOf(byTenant.get(tenantId)) }
    }),
  }
  return JSON.stringify(map)
}

function colorOf(peek: string | undefined): string {
  return peek === undefined ? NEUTRAL_COLOR : (JSON.parse(peek) as BrandPeekVM).primaryColor
}
