export type CacheState = 'hit' | 'stale' | 'miss' | 'bypass'

/** Events of a cache; every callback is optional and must not throw. */
export interface CacheMetrics {
  onResult?(cache: string, state: CacheState): void
  onUpstreamCall?(cache: string): void
  onLeaseWait?(cache: string, waitedMs: number): void
  onFencedWrite?(cache: string): void
  onEarlyRefresh?(cache: string): void
  /** A background refresh failed; the stale entry stays in use until its hard expiry. */
  onRefreshError?(cache: string, error: unknown): void
  /** Redis was unavailable; the request continued without it. */
  onStoreError?(error: unknown): void
}
