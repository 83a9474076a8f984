import type { Cache, TagStamp } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { TenantId } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'

export interface ComposedDeps {
  readonly cache: Pick<Cache, 'stamp' | 'isCurrent'>
  readonly clock: Clock
  readonly blocked: { has(tenantId: TenantId): boolean }
}

/** A page and what it was composed from. */
export interface Composition<T> {
  readonly page: T
  readonly tags: readonly string[]
  /** The tenants whose hotels it shows. */
  readonly tenants: readonly TenantId[]
  /** Until then all its parts are fresh, and would be put together in the same way. */
  readonly freshUntilMs: number
}

interface Composed<T> {
  readonly page: T
  readonly stamp: TagStamp
  readonly tenants: readonly TenantId[]
  readonly freshUntilMs: number
}

const PAGES_MAX = 10_000
/** Days begin with a minute in every time zone, and with them the default stay of a hotel. */
const MINUTE_MS = 60_000

/**
 * Which page was composed for a request, so that it is found again without looking at its parts. It
 * is forgotten as soon as one of them may have changed: when it is no longer fresh, when a tag of
 * it is invalidated, or a tenant suspended.
 */
export class ComposedPages<T> {
  readonly #pages = new LRUCache<string, Composed<T>>({ max: PAGES_MAX })

  find({ cache, clock, blocked }: ComposedDeps, key: string): T | undefined {
    const known = this.#pages.get(key)
    if (known === undefined) return undefined
    const isCurrent =
      clock.nowMs() < known.freshUntilMs &&
      cache.isCurrent(known.stamp) &&
      !known.tenants.some((tenantId) => blocked.has(tenantId))
    return isCurrent ? known.page : undefined
  }

  remember({ cache, clock }: ComposedDeps, key: string, composition: Composition<T>): void {
    const { page, tenants } = composition
    const nowMs = clock.nowMs()
    // A part that is about to expire is looked at again by every request.
    if (composition.freshUntilMs <= nowMs) return
    const stamp = cache.stamp(composition.tags)
    if (stamp === undefined) return
    const minuteEndMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS
    const freshUntilMs = Math.min(composition.freshUntilMs, minuteEndMs)
    this.#pages.set(key, { page, stamp, tenants, freshUntilMs })
  }
}
