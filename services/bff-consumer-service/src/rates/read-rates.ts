import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { type PropertyId, problem, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import type { PageRequest, SearchQuery } from '../search/search-query.ts'
import { type RateTimes, writeRate } from './write-rate.ts'

/** The seed's freshness of a price. */
export const RATE_FRESH_MS = 60_000
/** As many as one preview takes: a page has no more. */
export const PRICED_MAX = 50

export interface Rates {
  /** Snapshots as JSON. */
  readonly byProperty: ReadonlyMap<PropertyId, string>
  readonly capturedAtMs: number
  readonly staleFromMs: number
}

/** What a price depends on besides the hotel. */
export interface Priced extends Pick<PageRequest, 'currency'> {
  /** No price depends on it; pages say for whom they ask. */
  readonly locale?: PageRequest['locale']
  readonly query: Pick<SearchQuery, 'dates' | 'occupancy'>
}

export async function readRates(
  ctx: ConsumerContext,
  page: Priced,
  { propertyIds, ...call }: UpstreamCall & { readonly propertyIds: readonly PropertyId[] },
): Promise<Rates> {
  const { query, currency, locale } = page
  const { previews, capturedAt } = await ctx.upstreams.pricing.preview(
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
  // A clock ahead of ours must not make a price younger than it is.
  const nowMs = ctx.clock.nowMs()
  const capturedAtMs = Math.min(Date.parse(capturedAt), nowMs)
  if (Number.isNaN(capturedAtMs)) {
    ctx.measures.refusedRates.inc({ reason: 'time' })
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  }
  const staleFromMs = capturedAtMs + RATE_FRESH_MS
  const times: RateTimes = {
    capturedAt: toIsoDateTime(new Date(capturedAtMs)),
    ttlExpiresAt: toIsoDateTime(new Date(staleFromMs)),
    isStale: nowMs >= staleFromMs,
  }
  const byProperty = new Map<PropertyId, string>()
  for (const preview of previews) {
    const written = writeRate(preview, times)
    if (written.kind === 'rate') byProperty.set(written.propertyId, written.text)
    if (written.kind === 'refused') ctx.measures.refusedRates.inc({ reason: written.reason })
  }
  return { byProperty, capturedAtMs, staleFromMs }
}
