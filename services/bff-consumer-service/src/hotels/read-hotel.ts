import { countSections } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, CacheState } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { settleSections } from '@melmastoon/chassis/upstream'
import type { IsoDate, TenantId } from '@melmastoon/domain'
import type { Brands } from '../brands/brand-sets.ts'
import { type BrandDeps, brandTags, peekBrands, readBrands } from '../brands/read-brands.ts'
import type { ComposedDeps, ComposedPages } from '../derived-responses/composed-pages.ts'
import { hotelAddress } from '../listings/listing-cache.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { HotelCaches } from './hotel-caches.ts'
import {
  type HotelPriceDeps,
  peekHotelPrices,
  planPrices,
  priceFactsOf,
  readHotelPrices,
} from './hotel-prices.ts'
import { type HotelRequest, keyOfHotel } from './hotel-query.ts'
import {
  type HotelSources,
  peekSources,
  propertyOf,
  readSources,
  type SourceDeps,
  signalsOf,
} from './read-sources.ts'
import { type HotelParts, joinHotel, sectionsOf, writeHotel } from './write-hotel.ts'

/** The dims of the page in its cache, and facts about it. */
export interface ComposedHotel extends Pick<ServedHotel, 'tenantId' | 'isIncomplete'> {
  readonly dims: Parameters<HotelCaches['hotelPages']['peek']>[0]
}

export type HotelDeps = SourceDeps &
  HotelPriceDeps &
  BrandDeps &
  ComposedDeps &
  Pick<HotelCaches, 'hotelPages' | 'hotelTexts'> & {
    readonly composedHotels: ComposedPages<ComposedHotel>
    readonly config: { readonly region: string }
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

export interface ServedHotel {
  readonly bytes: CachedBytes
  readonly tenantId: TenantId
  /** The worst cache state of all parts. */
  readonly state: CacheState
  /** At least one section is missing. */
  readonly isIncomplete: boolean
}

/** The page, if this process has it in memory. */
export function peekHotel(deps: HotelDeps, request: HotelRequest): ServedHotel | undefined {
  const composed = deps.composedHotels.find(deps, keyOfHotel(request))
  const bytes = composed && deps.hotelPages.peek(composed.dims)
  return bytes ? { ...composed, bytes, state: 'hit' } : peekParts(deps, request)
}

function peekParts(deps: HotelDeps, request: HotelRequest): ServedHotel | undefined {
  const sources = peekSources(deps, request.propertyId)
  if (sources === undefined) return undefined
  const brands = peekBrands(deps, tenantsOf(sources))
  const priced = planPrices(request, sources, deps.clock.now())
  const prices = peekHotelPrices(deps, priced)
  if (brands === undefined || prices === undefined) return undefined
  const parts = { sources, priced, prices, brands }
  const { dims, isIncomplete } = identify(deps, request, parts)
  const bytes = deps.hotelPages.peek(dims)
  if (bytes === undefined) return undefined
  const { tenantId } = sources
  const page = { dims: Object.freeze(dims), tenantId, isIncomplete }
  rememberHotel(deps, request, { ...parts, page })
  return { bytes, tenantId, state: 'hit', isIncomplete }
}

type FreshParts = HotelParts & { readonly [P in 'prices' | 'brands']: NonNullable<HotelParts[P]> }

function rememberHotel(
  deps: HotelDeps,
  request: HotelRequest,
  { sources, prices, brands, page }: FreshParts & { readonly page: ComposedHotel },
): void {
  const { property, signals, hidesSimilar } = sources
  if (signals === undefined || hidesSimilar) return
  const tenants = [...new Set(tenantsOf(sources))]
  const ends = [property, signals, prices, brands].map((part) => part.freshUntilMs)
  const { staleFromMs } = priceFactsOf(prices)
  deps.composedHotels.remember(deps, keyOfHotel(request), {
    page,
    tags: [...hotelAddress(request.propertyId).tags, ...tenants.flatMap(brandTags)],
    tenants,
    // Prices that are stale already remain so.
    freshUntilMs: Math.min(...ends, ...[staleFromMs].filter((ms) => ms > deps.clock.nowMs())),
  })
}

/**
 * The property and the signals of the search service in parallel; then prices and brands in
 * parallel, of this hotel and of similar hotels. Only the property is indispensable.
 */
export async function readHotel(
  deps: HotelDeps,
  request: HotelRequest,
  call: UpstreamCall,
): Promise<ServedHotel> {
  const sources = await readSources(deps, request.propertyId, call).catch(asBudgetExceeded)
  const parts = await enrich(deps, request, { ...call, sources })
  const { dims, sections, isIncomplete } = identify(deps, request, parts)
  const bytes = await deps.hotelPages.get({
    dims,
    load: async () => {
      countSections(deps.measures.sections, sections)
      const { locale } = request
      return { body: joinHotel(await readText(deps, request, parts), parts, { sections, locale }) }
    },
  })
  const states = [sources.property, sources.signals, parts.prices].map((part) => part?.state)
  return { bytes, tenantId: sources.tenantId, state: worstOf(states), isIncomplete }
}

async function enrich(
  deps: HotelDeps,
  request: HotelRequest,
  { sources, deadline: whole, trace }: UpstreamCall & { readonly sources: HotelSources },
): Promise<HotelParts> {
  using pricing = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  using theme = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const priced = planPrices(request, sources, deps.clock.now())
  const { prices, brands } = await settleSections(
    {
      prices: readHotelPrices(deps, priced, { deadline: pricing, trace }),
      brands: readBrands(deps, tenantsOf(sources), { deadline: theme, trace }),
    },
    deps.reportSection,
  )
  return { sources, priced, prices: prices.value, brands: brands.value }
}

function tenantsOf({ tenantId, similar }: HotelSources): TenantId[] {
  return [tenantId, ...similar.map((hotel) => hotel.tenantId)]
}

/**
 * A page is identified by its parts and by the statuses of its sections. The etag of a price
 * document does not cover the prices of similar hotels: its currency and capture time do.
 */
function identify(deps: HotelDeps, { locale }: HotelRequest, parts: HotelParts) {
  const { sources, priced, prices, brands } = parts
  const sections = sectionsOf(parts, deps.clock.nowMs())
  const statuses = Object.values(sections).map(({ status }) => status)
  const { stay, occupancy, currency } = priced
  const capturedAtMs = prices && priceFactsOf(prices).capturedAtMs
  return {
    sections,
    isIncomplete: statuses.includes('missing'),
    dims: {
      parts: `${sourcesKey(sources)} ${brandsKey(brands)} ${statuses.join(' ')}`,
      priced: JSON.stringify([prices?.etag, capturedAtMs, currency, stay, occupancy]),
      locale,
    },
  }
}

function sourcesKey({ property, signals, similar }: HotelSources): string {
  const shown = similar.map(({ propertyId }) => propertyId).join(' ')
  return `${property.etag} ${signals?.etag} ${shown}`
}

function brandsKey(brands: Brands | undefined): string {
  return brands?.version ?? ''
}

/** The long-lived part of the page, in the requested language. */
async function readText(
  deps: HotelDeps,
  { locale }: HotelRequest,
  { sources, brands }: HotelParts,
): Promise<string> {
  const today = deps.clock.now().toISOString().slice(0, 10) as IsoDate
  const { body } = await deps.hotelTexts.get({
    dims: { sources: sourcesKey(sources), brands: brandsKey(brands), locale },
    load: async () => {
      const texts = {
        detail: propertyOf(sources.property),
        signals: sources.signals && signalsOf(sources.signals),
        similar: new Set(sources.similar.map(({ propertyId }) => propertyId)),
        brands: brands?.byTenant ?? new Map<TenantId, string>(),
      }
      return { body: writeHotel(texts, { locale, region: deps.config.region, today }) }
    },
  })
  return body.toString()
}

const WORST_FIRST = ['bypass', 'miss', 'stale'] as const

function worstOf(states: readonly (CacheState | undefined)[]): CacheState {
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'hit'
}
