import { asRejectedRequest, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import type { CurrencyCode, Locale } from '@melmastoon/domain'
import { type DerivedDeps, readWithAge } from '../derived-responses/read-derived.ts'
import { EVERY_PAGE } from '../places/place-tags.ts'
import { asBudgetExceeded, UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'
import { catalogOf } from './facet-catalog.ts'

export type FacetCache = DefinedCache<'locale' | 'currency'>

export interface FacetDeps extends DerivedDeps {
  readonly facets: FacetCache
  readonly upstreams: Pick<Upstreams, 'search'>
}

const FRESH_MS = 3_600_000
const FACET_TAGS = [EVERY_PAGE]

/** An hour fresh (C11). */
export function defineFacets(cache: Cache): FacetCache {
  return cache.define({
    name: 'facets',
    dimensions: ['locale', 'currency'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 300_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: UPSTREAM_MS.search,
    followerWaitMs: UPSTREAM_MS.search,
  })
}

/** The catalogue, if this process has it in memory. */
export function peekFacets(
  { facets }: Pick<FacetDeps, 'facets'>,
  { locale, currency }: { readonly locale: Locale; readonly currency: CurrencyCode },
): CachedBytes | undefined {
  return facets.peek({ locale, currency }, FACET_TAGS)
}

export async function readFacets(
  deps: FacetDeps,
  { locale, currency }: { readonly locale: Locale; readonly currency: CurrencyCode },
  { deadline, trace }: UpstreamCall,
): Promise<{ readonly bytes: CachedBytes; readonly origin: CachedBytes }> {
  const origin = await deps.facets
    .get({
      dims: { locale, currency },
      tags: FACET_TAGS,
      deadline,
      load: async (_signal, loadDeadline) => {
        const call = { deadline: loadDeadline, trace, locale, currency }
        const response = await deps.upstreams.search.facets({}, call).catch(asRejectedRequest)
        return { body: JSON.stringify(catalogOf(response, locale)) }
      },
    })
    .catch(asBudgetExceeded)
  const bytes = await readWithAge(deps, origin, { section: 'facets', freshMs: FRESH_MS })
  return { bytes, origin }
}
