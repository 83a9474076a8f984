import { createDeadline } from '@melmastoon/chassis/clock'
import { settleSections } from '@melmastoon/chassis/upstream'
import type { ConsumerContext } from '../context.ts'
import { type CurrentRate, readRate } from '../rates/read-rate.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { ComposeMap } from './compose-map.ts'
import type { PinPrice } from './map-form.ts'
import type { MapRequest } from './plan-map.ts'

export interface PricedTarget {
  readonly status: 'fresh' | 'stale' | 'missing'
  readonly price: PinPrice | undefined
  readonly capturedAtMs: number
}

/** Never rejects, and never makes the map late (F-3): a pin without its price is a pin. */
export async function priceTarget(
  ctx: ConsumerContext,
  map: MapRequest,
  { deadline: whole, trace }: ComposeMap,
): Promise<PricedTarget | undefined> {
  const { target, query, locale, currency } = map
  if (target === undefined) return undefined
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  const call = { query, locale, currency, deadline, trace }
  const { rate } = await settleSections({ rate: readRate(ctx, target, call) }, ctx.reportSection)
  const priced = judge(ctx, rate.value)
  ctx.measures.sections.inc({ section: 'prices', status: priced.status })
  return priced
}

function judge({ clock }: ConsumerContext, rate: CurrentRate | undefined): PricedTarget {
  const nowMs = clock.nowMs()
  const none = { price: undefined, capturedAtMs: nowMs }
  if (rate === undefined) return { status: 'missing', ...none }
  if (rate === null) return { status: 'fresh', ...none }
  // A pin cannot say that its price is old, so from a minute on it has none (D6).
  if (nowMs >= Date.parse(rate.ttlExpiresAt)) return { status: 'missing', ...none }
  const { cheapestNightlyMinor, currency } = rate
  return {
    status: rate.isStale ? 'stale' : 'fresh',
    price: { cheapestNightlyMinor, currency },
    capturedAtMs: Date.parse(rate.capturedAt),
  }
}
