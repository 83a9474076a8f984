import type { Cache } from '@melmastoon/chassis/cache'
import type { Flags } from '@melmastoon/chassis/flags'
import type { ExampleFlags } from '../flags.ts'

const FRESH_MS = 60_000
const CAMPAIGN_FRESH_MS = 300_000

/** As the consumer's search page: 60 s fresh, 5 minutes in a campaign, 10 in need (C11). */
export function definePages(cache: Cache, flags: Flags<ExampleFlags>, freshMs = FRESH_MS) {
  return cache.define({
    name: 'page',
    dimensions: ['locale', 'currency'],
    softTtlMs: () => (flags.current().campaignMode ? CAMPAIGN_FRESH_MS : freshMs),
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: 2_000,
  })
}
