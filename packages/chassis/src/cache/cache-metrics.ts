export type CacheState = 'hit' | 'stale' | 'miss' | 'bypass'

/** What a cache tells about itself; every callback is optional and must not throw. */
export interface CacheMetrics {
  onResult?(cache: string, state: CacheState): void
  onUpstreamCall?(cache: string): void
  onLeaseWait?(cache: string, waitedMs: number): void
  onFencedWrite?(cache: string): void
  onEarlyRefresh?(cache: string): void
  /** Redis or the versions were not to be had; the request went on without them. */
  onStoreError?(error: unknown): void
}
