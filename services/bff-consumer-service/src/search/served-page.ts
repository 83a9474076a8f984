import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Derivation, markStale } from '../derived-responses/read-derived.ts'

export interface ServedPage {
  /** The bytes to send. */
  readonly bytes: CachedBytes
  /** The cached page that `bytes` is, or derives from: it has the age and the cache state. */
  readonly origin: CachedBytes
  readonly facts: PageFacts
}

export type PageCache = DefinedCache<'locale' | 'currency' | 'query'>

const FRESH_MS = 60_000
const CAMPAIGN_FRESH_MS = 300_000
/** All upstream calls of one page: search, then prices and brands in parallel, and composition. */
const COMPOSE_MS = 2_400

export interface PageCacheOptions {
  readonly name: 'search' | 'map'
  readonly flags: { isCampaign(): boolean }
  readonly freshMs?: number | undefined
}

/** Lists and maps: 60 s fresh, 5 minutes in a campaign, 10 if the search service is down (C11). */
export function definePages(
  cache: Cache,
  { name, flags, freshMs = FRESH_MS }: PageCacheOptions,
): PageCache {
  return cache.define({
    name,
    dimensions: ['locale', 'currency', 'query'],
    softTtlMs: () => (flags.isCampaign() ? CAMPAIGN_FRESH_MS : freshMs),
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: COMPOSE_MS,
    followerWaitMs: COMPOSE_MS,
  })
}

const count = () => Type.Integer({ minimum: 0 })

/** Facts about a page that are needed without parsing it. Stored with the entry, not sent. */
const PageFacts = Type.Object({
  total: count(),
  items: count(),
  priced: count(),
  /** When its prices become stale (D6); null without prices. */
  pricesStaleFromMs: Type.Union([Type.Number(), Type.Null()]),
})

export type PageFacts = Static<typeof PageFacts>

const isPageFacts = Compile(PageFacts)
/** Prices of unknown age are stale. */
const UNKNOWN: PageFacts = { total: 0, items: 0, priced: 0, pricesStaleFromMs: 0 }

export function factsOf({ facts }: Pick<CachedBytes, 'facts'>): PageFacts {
  return isPageFacts.Check(facts) ? facts : UNKNOWN
}

type PageState = Pick<CachedBytes, 'state' | 'ageMs'>

const STALE_PRICES = markStale(['prices'])
const STALE_LISTINGS = markStale(['listings'])
const ALL_STALE = markStale(['listings', 'prices'])

/** How the cached page differs from what is sent; null when it is sent unchanged. */
export function agingOf(
  page: PageState,
  { pricesStaleFromMs }: PageFacts,
  nowMs: number,
): Derivation | null {
  const listings = areListingsStale(page)
  if (pricesStaleFromMs !== null && nowMs >= pricesStaleFromMs) {
    return listings ? ALL_STALE : STALE_PRICES
  }
  return listings ? STALE_LISTINGS : null
}

/** A younger page past its soft TTL was incomplete: its listings are fresh. */
export function areListingsStale({ state, ageMs }: PageState): boolean {
  return state === 'stale' && ageMs >= FRESH_MS
}
