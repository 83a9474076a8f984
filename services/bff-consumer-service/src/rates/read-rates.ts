import type { Occupancy } from '@melmastoon/bff/stays'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import {
  type CurrencyCode,
  type Locale,
  type PropertyId,
  problem,
  type StayDates,
  toIsoDateTime,
} from '@melmastoon/domain'
import { listingTags } from '../places/place-tags.ts'
import { UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'
import { type RateSnapshotVM, type RateTimes, serializeRate } from './rate-snapshot.ts'

export type RateCache = DefinedCache<'propertyId' | 'currency' | 'stay'>

export interface RateDeps {
  readonly rates: RateCache
  readonly clock: Clock
  readonly measures: { readonly refusedRates: CounterMetric<'reason'> }
  readonly upstreams: Pick<Upstreams, 'pricing'>
}

/** How long a price is fresh, from its capture on (D6). */
export const RATE_FRESH_MS = 60_000
/** The maximum of one preview call; a page has no more hotels. */
export const PRICED_MAX = 50

export interface Rates {
  /** Snapshots as JSON. */
  readonly byProperty: ReadonlyMap<PropertyId, string>
  readonly capturedAtMs: number
  readonly staleFromMs: number
}

/** What a price depends on besides the hotel. */
export interface PricedStay {
  readonly currency: CurrencyCode
  /** Sent to the pricing service for its logs; no price depends on it. */
  readonly locale?: Locale
  readonly query: { readonly dates: StayDates; readonly occupancy: Occupancy }
}

/** One hotel's price for one stay. It expires when the price does (D6), without any extension. */
export function defineRates(cache: Cache): RateCache {
  return cache.define({
    name: 'rate',
    dimensions: ['propertyId', 'currency', 'stay'],
    softTtlMs: RATE_FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    jitter: 0,
    loadTimeoutMs: UPSTREAM_MS.pricing,
    // Longer than a load may take, or a slow call would be repeated by every process.
    followerWaitMs: UPSTREAM_MS.pricing + 1_000,
  })
}

/** The prices of many hotels for one stay, not cached. */
export async function readRates(
  deps: RateDeps,
  { query, currency, locale }: PricedStay,
  { propertyIds, ...call }: UpstreamCall & { readonly propertyIds: readonly PropertyId[] },
): Promise<Rates> {
  const { previews, capturedAt } = await deps.upstreams.pricing.preview(
    {
      body: {
        propertyIds: propertyIds.slice(0, PRICED_MAX),
        stay: query.dates,
        occupancy: query.occupancy,
        currency,
      },
    },
    { ...call, currency, ...(locale && { locale }) },
  )
  const { capturedAtMs, staleFromMs, times } = timesOf(deps, capturedAt)
  const byProperty = new Map<PropertyId, string>()
  for (const preview of previews) {
    const rate = serializeRate(preview, times)
    if (rate.kind === 'rate') byProperty.set(rate.propertyId, rate.text)
    if (rate.kind === 'invalid') deps.measures.refusedRates.inc({ reason: rate.reason })
  }
  return { byProperty, capturedAtMs, staleFromMs }
}

function timesOf({ clock, measures }: RateDeps, capturedAt: string) {
  const nowMs = clock.nowMs()
  // An upstream clock ahead of ours must not make a price younger than it is.
  const capturedAtMs = Math.min(Date.parse(capturedAt), nowMs)
  if (Number.isNaN(capturedAtMs)) {
    measures.refusedRates.inc({ reason: 'time' })
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  }
  const staleFromMs = capturedAtMs + RATE_FRESH_MS
  const times: RateTimes = {
    capturedAt: toIsoDateTime(new Date(capturedAtMs)),
    ttlExpiresAt: toIsoDateTime(new Date(staleFromMs)),
    isStale: nowMs >= staleFromMs,
  }
  return { capturedAtMs, staleFromMs, times }
}

/** The current price of one hotel; null where no rate is available for the stay. */
export type CurrentRate = Readonly<RateSnapshotVM> | null

/**
 * The cached price of one hotel: one upstream call per minute at most.
 * @throws Problem when the pricing service does not respond in time.
 */
export async function readRate(
  deps: RateDeps,
  propertyId: PropertyId,
  { deadline, trace, ...priced }: UpstreamCall & PricedStay,
): Promise<CurrentRate> {
  const { dates, occupancy } = priced.query
  const { body } = await deps.rates.get({
    dims: { propertyId, currency: priced.currency, stay: JSON.stringify([dates, occupancy]) },
    tags: listingTags(propertyId),
    deadline,
    load: (_signal, loadDeadline) =>
      loadRate(deps, propertyId, { ...priced, trace, deadline: loadDeadline }),
  })
  const rate = JSON.parse(body.toString()) as CurrentRate
  if (rate === null) return null
  const isExpired = deps.clock.nowMs() >= Date.parse(rate.ttlExpiresAt)
  return { ...rate, isStale: rate.isStale || isExpired }
}

async function loadRate(
  deps: RateDeps,
  propertyId: PropertyId,
  { deadline, trace, ...priced }: UpstreamCall & PricedStay,
): Promise<LoadResult> {
  const call = { propertyIds: [propertyId], deadline, trace }
  const { byProperty, staleFromMs } = await readRates(deps, priced, call)
  return {
    body: byProperty.get(propertyId) ?? 'null',
    freshForMs: Math.max(0, staleFromMs - deps.clock.nowMs()),
  }
}
