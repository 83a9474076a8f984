import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { PropertyId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { PRICED_MAX, type Priced, type Rates, readRates } from '../rates/read-rates.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export interface Prices {
  /** Snapshots as JSON. */
  readonly byProperty: ReadonlyMap<PropertyId, string>
  readonly status: 'fresh' | 'stale' | 'missing'
  /** Of the oldest one. */
  readonly ageMs: number
}

export interface ReadPrices extends UpstreamCall, Priced {}

/** As many as there are, in as few calls as pricing allows. A card without its price is a card. */
export async function readPrices(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  { deadline: whole, trace, ...priced }: ReadPrices,
): Promise<Prices> {
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  const calls = inPortions(propertyIds).map((portion) =>
    readRates(ctx, priced, { propertyIds: portion, deadline, trace }),
  )
  const settled = await Promise.allSettled(calls)
  const rates = settled.filter((call) => call.status === 'fulfilled').map(({ value }) => value)
  const nowMs = ctx.clock.nowMs()
  const isStale = rates.some(({ staleFromMs }) => nowMs >= staleFromMs)
  return {
    byProperty: new Map(rates.flatMap(({ byProperty }) => [...byProperty])),
    status: rates.length < settled.length ? 'missing' : isStale ? 'stale' : 'fresh',
    ageMs: ageOf(rates, nowMs),
  }
}

function inPortions(propertyIds: readonly PropertyId[]): PropertyId[][] {
  const count = Math.ceil(propertyIds.length / PRICED_MAX)
  return Array.from({ length: count }, (_, at) =>
    propertyIds.slice(at * PRICED_MAX, (at + 1) * PRICED_MAX),
  )
}

function ageOf(rates: readonly Rates[], nowMs: number): number {
  return rates.reduce((oldestMs, rate) => Math.max(oldestMs, nowMs - rate.capturedAtMs), 0)
}
