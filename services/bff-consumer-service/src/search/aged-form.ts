import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { PageFacts } from './page-facts.ts'

/** What of a kept page is older than it says. */
export interface Aging {
  readonly prices: boolean
  readonly listings: boolean
}

/** From then on what lies past its soft life is called stale; younger it is only incomplete. */
const LISTINGS_FRESH_MS = 60_000

/** Null when the page may go out as it is. */
export function agingOf(
  page: Pick<CachedBytes, 'state' | 'ageMs'>,
  { pricesStaleFromMs }: PageFacts,
  nowMs: number,
): Aging | null {
  const prices = pricesStaleFromMs !== null && nowMs >= pricesStaleFromMs
  const listings = page.state === 'stale' && page.ageMs >= LISTINGS_FRESH_MS
  return prices || listings ? { prices, listings } : null
}

/**
 * The same page with the truth about its age. Plain replacement is safe: within a JSON string each
 * of these quotes would have a backslash before it.
 */
export function ageText(page: string, { prices, listings }: Aging): string {
  let aged = page.replace('"degraded":false', '"degraded":true')
  if (listings) {
    aged = aged.replace('"listings":{"status":"fresh"', '"listings":{"status":"stale"')
  }
  if (!prices) return aged
  return aged
    .replace('"prices":{"status":"fresh"', '"prices":{"status":"stale"')
    .replaceAll('"isStale":false', '"isStale":true')
}
