import type { Cache, TagStamp } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { TenantId } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'

/** The brands of some tenants. */
export interface Brands {
  /** Brand peeks as JSON; a tenant without a theme has none. */
  readonly bytesByTenant: ReadonlyMap<TenantId, Buffer>
  /** The same as text. */
  readonly byTenant: ReadonlyMap<TenantId, string>
  /** Differs whenever the peeks differ. */
  readonly version: string
  readonly status: 'fresh' | 'stale' | 'missing'
  /** Of the oldest entry, now. */
  readonly ageMs: number
  /** Of the entry that is renewed first. */
  readonly freshUntilMs: number
}

export interface BrandSetDeps {
  readonly cache: Pick<Cache, 'stamp' | 'isCurrent'>
  readonly clock: Clock
}

const SETS_MAX = 1_000

/**
 * The brands of tenants that are shown together: searches for other dates often find the same
 * hotels. A set is forgotten when one of its brands is invalidated or no longer fresh.
 */
export class BrandSets {
  readonly #sets = new LRUCache<string, { readonly brands: Brands; readonly stamp: TagStamp }>({
    max: SETS_MAX,
  })

  find({ cache, clock }: BrandSetDeps, key: string): Brands | undefined {
    const known = this.#sets.get(key)
    if (known === undefined) return undefined
    const { brands, stamp } = known
    const isCurrent = clock.nowMs() < brands.freshUntilMs && cache.isCurrent(stamp)
    return isCurrent ? brands : undefined
  }

  /** @param stamp of the tags of all brands, from before they were read. */
  remember(key: string, brands: Brands, stamp: TagStamp | undefined): void {
    if (stamp !== undefined && brands.status === 'fresh') this.#sets.set(key, { brands, stamp })
  }
}
