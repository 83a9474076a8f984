import type { Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import { type CurrentRate, type RateDeps, readRate } from '../rates/read-rates.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { PinPrice } from './derive-map.ts'
import type { MapRequest } from './plan-map.ts'

export type PriceTargetDeps = RateDeps & {
  readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  readonly reportSection: ReportSection
}

export interface PricedTarget {
  readonly status: Section['status']
  readonly price: PinPrice | undefined
  readonly capturedAtMs: number
}

/** Never rejects and never delays the map (F-3): a pin without its price is valid. */
export async function priceTarget(
  deps: PriceTargetDeps,
  map: MapRequest,
  { deadline: whole, trace }: UpstreamCall,
): Promise<PricedTarget | undefined> {
  const { target, query, locale, currency } = map
  if (target === undefined) return undefined
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  const call = { query, locale, currency, deadline, trace }
  const { rate } = await settleSections({ rate: readRate(deps, target, call) }, deps.reportSection)
  const priced = pricedTarget(rate.value, deps.clock.nowMs())
  deps.measures.sections.inc({ section: 'prices', status: priced.status })
  return priced
}

function pricedTarget(rate: CurrentRate | undefined, nowMs: number): PricedTarget {
  const none = { price: undefined, capturedAtMs: nowMs }
  if (rate === undefined) return { status: 'missing', ...none }
  if (rate === null) return { status: 'fresh', ...none }
  // A pin has no member for the age of its price, so an expired price is omitted (D6).
  if (nowMs >= Date.parse(rate.ttlExpiresAt)) return { status: 'missing', ...none }
  const { cheapestNightlyMinor, currency } = rate
  return {
    status: rate.isStale ? 'stale' : 'fresh',
    price: { cheapestNightlyMinor, currency },
    capturedAtMs: Date.parse(rate.capturedAt),
  }
}
