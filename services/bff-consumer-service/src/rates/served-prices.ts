import type { CachedBytes } from '@melmastoon/chassis/cache'

/** A response with prices: cached bytes with their age, or a document without any price. */
export type ServedPrices<Document> =
  | {
      readonly kind: 'cached'
      /** The bytes to send. */
      readonly bytes: CachedBytes
      /** The cached prices that `bytes` contains or derives from. */
      readonly origin: CachedBytes
      /** For how long after its creation a client may cache it; 0 for stale or missing prices. */
      readonly maxAgeSeconds: number
    }
  /** No price is cached, and none can be loaded. */
  | { readonly kind: 'none'; readonly document: Document }

const MAX_AGE_SECONDS = 15

/** 0 for stale prices. Both `Age` and `max-age` count from the creation of the entry. */
export function maxAgeOf(
  { ageMs }: Pick<CachedBytes, 'ageMs'>,
  staleFromMs: number,
  nowMs: number,
): number {
  if (nowMs >= staleFromMs) return 0
  const lifeSeconds = Math.floor((staleFromMs - (nowMs - ageMs)) / 1_000)
  return Math.max(0, Math.min(MAX_AGE_SECONDS, lifeSeconds))
}
