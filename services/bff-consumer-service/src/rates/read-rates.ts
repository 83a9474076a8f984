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
import { capturePrice, type RateTimes, type StayPrice } from './rate-snapshot.ts'

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
  /** Without hotels whose price is invalid. */
  readonly byProperty: ReadonlyMap<PropertyId, StayPrice>
  readonly capturedAtMs: number
  readonly staleFromMs: number
}

/** What a price depends on besides the hotel. */
export interface PricedStay {
  readonly currency: CurrencyCode
  /** Sent to the pricing service for its logs; no price depends on it. */
  readonly locale?: Locale
  readonly query: {
    readonly dates: StayDates
    readonly occupancy: Occupancy
    /** The price shown is that of the cheapest offer with at least these terms. */
    readonly filters?: { readonly cancellationFlexibility?: 'free' | 'partial' | 'any' }
  }
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
        ...flexibilityOf(query),
      },
    },
    { ...call, currency, ...(locale && { locale }) },
  )
  const { capturedAtMs, staleFromMs, times } = captureTimes(deps, capturedAt)
  const byProperty = new Map<PropertyId, StayPrice>()
  for (const preview of previews) {
    const price = capturePrice(preview, times)
    if (price.kind === 'invalid') deps.measures.refusedRates.inc({ reason: price.reason })
    else byProperty.set(preview.propertyId, price)
  }
  return { byProperty, capturedAtMs, staleFromMs }
}

function flexibilityOf({ filters }: PricedStay['query']) {
  const { cancellationFlexibility = 'any' } = filters ?? {}
  return cancellationFlexibility === 'any' ? {} : { cancellationFlexibility }
}

/** @throws Problem UPSTREAM_CONTRACT_BROKEN for a time that does not exist. */
export function captureTimes(
  { clock, measures }: Pick<RateDeps, 'clock' | 'measures'>,
  capturedAt: string,
) {
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

/** The current price of one hotel, or why it has none; null where the price is invalid. */
export type CurrentPrice = StayPrice | null

/**
 * The cached price of one hotel: one upstream call per minute at most.
 * @throws Problem when the pricing service does not respond in time.
 */
export async function readRate(
  deps: RateDeps,
  propertyId: PropertyId,
  { deadline, trace, ...priced }: UpstreamCall & PricedStay,
): Promise<CurrentPrice> {
  const { body } = await deps.rates.get({
    dims: { propertyId, currency: priced.currency, stay: stayKey(priced.query) },
    tags: listingTags(propertyId),
    deadline,
    load: (_signal, loadDeadline) =>
      loadRate(deps, propertyId, { ...priced, trace, deadline: loadDeadline }),
  })
  const price = JSON.parse(body.toString()) as CurrentPrice
  if (price?.kind !== 'bookable') return price
  const { rate } = price
  const isExpired = deps.clock.nowMs() >= Date.parse(rate.ttlExpiresAt)
  return { ...price, rate: { ...rate, isStale: rate.isStale || isExpired } }
}

function stayKey(query: PricedStay['query']): string {
  return JSON.stringify([query.dates, query.occupancy, flexibilityOf(query)])
}

async function loadRate(
  deps: RateDeps,
  propertyId: PropertyId,
  { deadline, trace, ...priced }: UpstreamCall & PricedStay,
): Promise<LoadResult> {
  const call = { propertyIds: [propertyId], deadline, trace }
  const { byProperty, staleFromMs } = await readRates(deps, priced, call)
  return {
    body: JSON.stringify(byProperty.get(propertyId) ?? null),
    freshForMs: Math.max(0, staleFromMs - deps.clock.nowMs()),
  }
}
