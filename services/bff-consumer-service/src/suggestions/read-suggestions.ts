import type { BlockedTenants } from '@melmastoon/bff/tenants'
import { asRejectedRequest, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import { type Locale, type PropertyId, textFor } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { GeoArea, searchContract } from '@melmastoon/upstream-contracts/search'
import { type ListingDeps, readListings } from '../listings/read-listings.ts'
import { EVERY_PAGE } from '../places/place-tags.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { Suggestion, Suggestions } from './suggestion-schema.ts'

export interface SuggestionRequest {
  readonly typed: string
  readonly limit: number
  readonly locale: Locale
}

type Named = OutputOf<(typeof searchContract)['operations']['suggest']>['suggestions'][number]

export type SuggestionCache = DefinedCache<'locale' | 'typed' | 'limit'>

export type SuggestionDeps = ListingDeps & {
  readonly suggestions: SuggestionCache
  readonly blocked: BlockedTenants
}

/** About the size of a neighbourhood. */
const NEIGHBOURHOOD_RADIUS_KM = 2

export function defineSuggestions(cache: Cache): SuggestionCache {
  return cache.define({
    name: 'suggest',
    dimensions: ['locale', 'typed', 'limit'],
    softTtlMs: 300_000,
    staleWhileRevalidateMs: 60_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: UPSTREAM_MS.search,
    followerWaitMs: UPSTREAM_MS.search,
  })
}

export function readSuggestions(
  deps: SuggestionDeps,
  request: SuggestionRequest,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { typed, limit, locale } = request
  return deps.suggestions
    .get({
      dims: { typed, limit, locale },
      tags: [EVERY_PAGE],
      deadline,
      load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
}

async function load(
  deps: SuggestionDeps,
  { typed, limit, locale }: SuggestionRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const request = { query: { q: typed, limit } }
  const [{ suggestions }] = await Promise.all([
    deps.upstreams.search.suggest(request, { ...call, locale }).catch(asRejectedRequest),
    deps.blocked.refresh(),
  ])
  const visible = await withoutHidden(deps, suggestions, call)
  const response: Suggestions = { suggestions: visible.map((named) => suggest(named, locale)) }
  return { body: JSON.stringify(response) }
}

/**
 * The projection receives a suspension slightly later than this service, and suggestions do not
 * contain the tenant.
 */
async function withoutHidden(
  deps: SuggestionDeps,
  suggestions: readonly Named[],
  call: UpstreamCall,
): Promise<Named[]> {
  const hotels = suggestions.filter(({ kind }) => kind === 'property')
  const propertyIds = hotels.map(({ key }) => key as PropertyId)
  const known = hotels.length === 0 ? null : await readListings(deps, propertyIds, call)
  return suggestions.filter(({ kind, key }) => kind !== 'property' || known?.has(key as PropertyId))
}

function suggest(named: Named, locale: Locale): Suggestion {
  const { kind, key, name, country, geo, properties } = named
  const geoQuery = areaOf(named)
  return {
    kind,
    key,
    name: textFor(name, locale),
    country,
    geo: { lat: geo.lat, lng: geo.lng },
    count: properties,
    ...(geoQuery && { geoQuery }),
    ...(kind === 'property' && { propertyId: key as PropertyId }),
  }
}

/** Hotels have a page of their own. */
function areaOf({ kind, key, geo }: Named): GeoArea | undefined {
  switch (kind) {
    case 'city':
      return { mode: 'city', city: key }
    case 'region':
      return { mode: 'region', region: key }
    case 'neighbourhood': {
      const { lat, lng } = geo
      return { mode: 'point', point: { lat, lng, radiusKm: NEIGHBOURHOOD_RADIUS_KM } }
    }
    case 'property':
      return undefined
  }
}
