import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'

export type DerivedCache = DefinedCache<'etag' | 'variant'>

export interface DerivedDeps {
  readonly derived: DerivedCache
}

/** A pure function of a cached response, for example the same response marked as stale. */
export interface Derivation {
  /** Distinguishes it from other derivations of the same bytes. */
  readonly name: string
  readonly derive: (text: string) => string
}

/** Variants of cached responses: with stale sections, or with the price of one pin. */
export function defineDerivedResponses(cache: Cache): DerivedCache {
  return cache.define({
    name: 'derived',
    dimensions: ['etag', 'variant'],
    softTtlMs: 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    loadTimeoutMs: 1_000,
    // Deriving one is faster than waiting long for another process that does.
    followerWaitMs: 100,
  })
}

/**
 * A derived response depends on the origin's bytes alone, so their etag and the name identify it.
 */
export function readDerived(
  { derived }: DerivedDeps,
  origin: CachedBytes,
  { name, derive }: Derivation,
): Promise<CachedBytes> {
  return derived.get({
    dims: { etag: origin.etag, variant: name },
    load: async () => ({ body: derive(origin.body.toString()) }),
  })
}

/** The derived response, if this process has it in memory. */
export function peekDerived(
  { derived }: DerivedDeps,
  origin: CachedBytes,
  { name }: Derivation,
): CachedBytes | undefined {
  return derived.peek({ etag: origin.etag, variant: name })
}

/** A response whose named sections have become stale since it was composed. */
export function markStale(sections: readonly string[]): Derivation {
  return {
    name: `stale ${sections.join(' ')}`,
    derive: (text) => markSectionsStale(text, sections),
  }
}

/**
 * Plain replacement is safe: within a JSON string each of these quotes would have a backslash
 * before it.
 */
export function markSectionsStale(text: string, sections: readonly string[]): string {
  let marked = text.replace('"degraded":false', '"degraded":true')
  for (const section of sections) {
    marked = marked.replace(`"${section}":{"status":"fresh"`, `"${section}":{"status":"stale"`)
  }
  return sections.includes('prices')
    ? marked.replaceAll('"isStale":false', '"isStale":true')
    : marked
}

export interface SectionAge {
  /** The only section of the response. */
  readonly section: string
  /** Younger entries are being revalidated, but are not stale yet. */
  readonly freshMs: number
}

/** The cached response; marked as stale where it is served because no newer one could be loaded. */
export async function readWithAge(
  deps: DerivedDeps,
  origin: CachedBytes,
  { section, freshMs }: SectionAge,
): Promise<CachedBytes> {
  if (origin.state !== 'stale' || origin.ageMs < freshMs) return origin
  return await readDerived(deps, origin, markStale([section]))
}
