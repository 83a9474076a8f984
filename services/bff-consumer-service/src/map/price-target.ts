import type { Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import type { Locale } from '@melmastoon/domain'
import { writeStayPrice } from '../rates/rate-snapshot.ts'
import { type CurrentPrice, type RateDeps, readRate } from '../rates/read-rates.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { MapRequest } from './plan-map.ts'

export type PriceTargetDeps = RateDeps & {
  readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  readonly reportSection: ReportSection
}

export interface PricedTarget {
  readonly status: Section['status']
  /** The members of the pin as JSON; undefined where nothing is known about the stay. */
  readonly price: string | undefined
  readonly isBookable: boolean
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
  const priced = pricedTarget(rate.value, locale, deps.clock.nowMs())
  deps.measures.sections.inc({ section: 'prices', status: priced.status })
  return priced
}

function pricedTarget(
  price: CurrentPrice | undefined,
  locale: Locale,
  nowMs: number,
): PricedTarget {
  const none = { price: undefined, isBookable: false, capturedAtMs: nowMs }
  if (price === undefined) return { status: 'missing', ...none }
  if (price === null) return { status: 'fresh', ...none }
  const members = writeStayPrice(price, locale).slice(1)
  if (price.kind === 'unbookable') {
    return { status: 'fresh', ...none, price: members }
  }
  const { rate } = price
  // `cheapestNightlyMinor` has no member for its age, so an expired price is omitted (D6).
  if (nowMs >= Date.parse(rate.ttlExpiresAt)) return { status: 'missing', ...none }
  const { cheapestNightlyMinor, currency } = rate
  const pin = JSON.stringify({ cheapestNightlyMinor, currency }).slice(1, -1)
  return {
    status: rate.isStale ? 'stale' : 'fresh',
    price: `${pin},${members}`,
    isBookable: true,
    capturedAtMs: Date.parse(rate.capturedAt),
  }
}
