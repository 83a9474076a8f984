import { countSections, FRESH_SECTION, isDegraded, sectionOf } from '@melmastoon/bff/sections'
import { type BlockedTenants, withoutBlocked } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { type Locale, textFor, toIsoDateTime } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type BrandPeekVM, NEUTRAL_COLOR } from '../brands/brand-peek.ts'
import type { Brands } from '../brands/brand-sets.ts'
import { type BrandDeps, readBrands } from '../brands/read-brands.ts'
import { exactMinor } from '../rates/exact-minor.ts'
import { availabilityOf } from '../rates/offer-terms.ts'
import { RATE_FRESH_MS } from '../rates/read-rates.ts'
import { asSearchProblem, criteriaOf, type FindDeps } from '../search/find-listings.ts'
import type { PageFacts } from '../search/served-page.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { MapClusterVM, MapPinVM, SearchMap } from './map-schema.ts'
import type { MapRequest } from './plan-map.ts'

export type ComposeMapDeps = FindDeps &
  BrandDeps & {
    readonly blocked: BlockedTenants
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

type MapResponse = OutputOf<(typeof searchContract)['operations']['map']>

export interface FoundPins {
  readonly total: number
  readonly items: MapResponse['pins']
  readonly clusters?: MapResponse['clusters']
  readonly capturedAtMs: number
}

/** A map without colours expires soon, so that it has them soon after the upstream recovers. */
const INCOMPLETE_FRESH_MS = 2_000

/** Pins without terms: the targeted pin gets its price when the response is derived. */
export async function composeMap(
  deps: ComposeMapDeps,
  map: MapRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const [response] = await Promise.all([findPins(deps, map, call), deps.blocked.refreshIfOld()])
  const found = withoutBlocked(deps, response)
  const brands = await readPinBrands(deps, found, call)
  const sections = { listings: FRESH_SECTION, brands: sectionOf(brands) }
  countSections(deps.measures.sections, sections)
  const { total, items } = found
  const pricesStaleFromMs = hasOffers(found) ? found.capturedAtMs + RATE_FRESH_MS : null
  const facts: PageFacts = { total, items: items.length, priced: 0, pricesStaleFromMs }
  return {
    body: writeMap(found, sections, { ...brands, locale: map.locale }),
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
  const response = await upstreams.search.map({ body }, call).catch(asSearchProblem)
  const { total, pins: items, clusters } = response
  // An invalid time counts as long ago: its prices are stale.
  const capturedAtMs = Date.parse(response.indexedAt) || 0
  return { total, items, capturedAtMs, ...(clusters && { clusters }) }
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

interface Shown extends Pick<Brands, 'byTenant'> {
  readonly locale: Locale
}

/** The map as JSON text. Derived responses rely on this order of members. */
export function writeMap(found: FoundPins, sections: SearchMap['sections'], shown: Shown): string {
  const { total, items, clusters } = found
  const map: SearchMap = {
    sections,
    degraded: isDegraded(sections),
    total,
    truncated: total > items.length,
    ...(hasOffers(found) && { pinPrices: timesOf(found) }),
    pins: items.map((pin) => viewPin(pin, shown)),
    ...(clusters && { clusters: clusters.map(viewCluster) }),
  }
  return JSON.stringify(map)
}

function hasOffers({ items }: FoundPins): boolean {
  return items.some(({ cheapestNightly, reason }) => (cheapestNightly ?? reason) !== undefined)
}

function timesOf({ capturedAtMs }: FoundPins) {
  return {
    capturedAt: toIsoDateTime(new Date(capturedAtMs)),
    ttlExpiresAt: toIsoDateTime(new Date(capturedAtMs + RATE_FRESH_MS)),
    isStale: false,
  }
}

type FoundPin = FoundPins['items'][number]

function viewPin(pin: FoundPin, { byTenant, locale }: Shown): MapPinVM {
  const { propertyId, tenantId, geo, name } = pin
  const shownPrice = priceOf(pin)
  const availability = shownPrice ? { bookable: true } : unavailabilityOf(pin)
  return {
    propertyId,
    geo: { lat: geo.lat, lng: geo.lng },
    ...(availability && { availability }),
    brandColor: colorOf(byTenant.get(tenantId)),
    ...(name && { name: textFor(name, locale) }),
    ...(shownPrice && { shownPrice }),
  }
}

/** Undefined for an amount that cannot be a price (D7). */
function priceOf({ cheapestNightly }: FoundPin): MapPinVM['shownPrice'] {
  if (cheapestNightly === undefined) return undefined
  const { amountMicro, currency } = cheapestNightly
  const nightlyMinor = exactMinor(amountMicro, currency)
  return nightlyMinor === null || nightlyMinor <= 0 ? undefined : { nightlyMinor, currency }
}

function unavailabilityOf({ cheapestNightly, reason, roomsLeft }: FoundPin) {
  if (cheapestNightly !== undefined || reason === undefined) return undefined
  return availabilityOf(reason, roomsLeft)
}

function viewCluster({
  count,
  geo,
  box,
}: NonNullable<FoundPins['clusters']>[number]): MapClusterVM {
  const { swLat, swLng, neLat, neLng } = box
  return {
    count,
    geo: { lat: geo.lat, lng: geo.lng },
    boundingBox: { swLat, swLng, neLat, neLng },
  }
}

function colorOf(peek: string | undefined): string {
  return peek === undefined ? NEUTRAL_COLOR : (JSON.parse(peek) as BrandPeekVM).primaryColor
}
