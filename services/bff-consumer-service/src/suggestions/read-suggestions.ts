import type { BlockedTenants } from '@melmastoon/bff/tenants'
import { asRejectedRequest, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import type { Locale, PropertyId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type ListingDeps, readListings } from '../listings/read-listings.ts'
import { EVERY_PAGE, WIDE_PAGES } from '../places/place-tags.ts'
import { boxView, placeMembers } from '../places/place-view.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { Suggestion, SuggestionStay, Suggestions } from './suggestion-schema.ts'

export interface SuggestionRequest {
  /** Empty for the most popular places. */
  readonly typed: string
  /** Counts are for this stay and party. */
  readonly stay: SuggestionStay | null
  readonly limit: number
  readonly locale: Locale
}

type Named = OutputOf<(typeof searchContract)['operations']['suggest']>['suggestions'][number]

export type SuggestionCache = DefinedCache<'locale' | 'typed' | 'limit' | 'stay'>

export type SuggestionDeps = ListingDeps & {
  readonly suggestions: SuggestionCache
  readonly blocked: BlockedTenants
}

export function defineSuggestions(cache: Cache): SuggestionCache {
  return cache.define({
    name: 'suggest',
    dimensions: ['locale', 'typed', 'limit', 'stay'],
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
  const { typed, limit, locale, stay } = request
  return deps.suggestions
    .get({
      dims: { typed, limit, locale, stay: JSON.stringify(stay) },
      // A change of any hotel may change the counts.
      tags: [EVERY_PAGE, WIDE_PAGES],
      deadline,
      load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
}

async function load(
  deps: SuggestionDeps,
  { typed, limit, locale, stay }: SuggestionRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const request = { query: { ...(typed !== '' && { q: typed }), limit, ...stay } }
  const [{ suggestions }] = await Promise.all([
    deps.upstreams.search.suggest(request, { ...call, locale }).catch(asRejectedRequest),
    deps.blocked.refreshIfOld(),
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
  const { kind, key, properties, boundingBox, search, match = 'exact' } = named
  const { neighbourhoods } = search ?? {}
  return {
    kind,
    ...placeMembers(named, locale),
    count: properties,
    match,
    ...(boundingBox && { boundingBox: boxView(boundingBox) }),
    ...(search && { geoQuery: search.geo }),
    ...(neighbourhoods && { filters: { neighbourhoods } }),
    ...(kind === 'property' && { propertyId: key as PropertyId }),
  }
}
