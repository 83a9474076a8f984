import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { ConsumerContext } from '../context.ts'
import { readForm } from '../forms/read-form.ts'
import { agingOf } from '../search/aged-form.ts'
import { factsOf } from '../search/page-facts.ts'
import { type ServedPage } from '../search/read-page.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { composeMap } from './compose-map.ts'
import { formText, hasPin, type MapForm, type Target } from './map-form.ts'
import type { MapRequest } from './plan-map.ts'
import { type PricedTarget, priceTarget } from './price-target.ts'

export interface ReadMap {
  readonly deadline: Deadline
  readonly trace: TraceContext
}

/** The map, if this process has it ready just as it is to be sent. */
export function peekMap(ctx: ConsumerContext, map: MapRequest): ServedPage | undefined {
  const origin = map.target === undefined ? peekBase(ctx, map) : undefined
  return origin && { bytes: origin, origin, facts: factsOf(origin) }
}

/**
 * The kept map and the price of the targeted pin, each in its own time: whoever moves from pin to
 * pin asks for prices, never for the same map again.
 */
export async function readMap(
  ctx: ConsumerContext,
  map: MapRequest,
  call: ReadMap,
): Promise<ServedPage> {
  const warm = peekBase(ctx, map)
  const [origin, priced] = await Promise.all([
    warm ?? readBase(ctx, map, call),
    mayShow(warm, map) ? priceTarget(ctx, map, call) : undefined,
  ])
  const target = aim(ctx, map, { origin, priced })
  const bytes = await formOf(ctx, origin, { isStale: isStale(ctx, origin), target })
  return { bytes, origin, facts: { ...factsOf(origin), priced: target?.price ? 1 : 0 } }
}

function peekBase(ctx: ConsumerContext, map: MapRequest): CachedBytes | undefined {
  return ctx.maps.peek(map.dims, map.tags)
}

function readBase(ctx: ConsumerContext, map: MapRequest, call: ReadMap): Promise<CachedBytes> {
  return ctx.maps
    .get({
      dims: map.dims,
      tags: map.tags,
      deadline: call.deadline,
      // With a deadline of its own: it outlives the request that happened to start it (D10).
      load: (_signal, deadline) => composeMap(ctx, map, { deadline, trace: call.trace }),
    })
    .catch(asBudgetExceeded)
}

/** Of a hotel that is known not to be on the map no price is asked for. */
function mayShow(warm: CachedBytes | undefined, { target }: MapRequest): boolean {
  return target !== undefined && (warm === undefined || hasPin(warm.body, target))
}

interface Readings {
  readonly origin: CachedBytes
  readonly priced: PricedTarget | undefined
}

/** Hotels drop out between two looks at a map: then it is told, and nothing is refused. */
function aim(
  ctx: ConsumerContext,
  { target: propertyId }: MapRequest,
  { origin, priced }: Readings,
): Target | undefined {
  if (propertyId === undefined) return undefined
  if (priced === undefined || !hasPin(origin.body, propertyId)) {
    return { propertyId, section: undefined, price: undefined }
  }
  const { status, price, capturedAtMs } = priced
  // By how much the price is older than the map; `Age` adds the rest.
  const aheadMs = ctx.clock.nowMs() - origin.ageMs - capturedAtMs
  const ageMs = Math.max(0, Math.floor(aheadMs / 1_000) * 1_000)
  return { propertyId, section: { status, ageMs }, price }
}

function isStale({ clock }: ConsumerContext, origin: CachedBytes): boolean {
  return agingOf(origin, factsOf(origin), clock.nowMs())?.listings ?? false
}

async function formOf(
  ctx: ConsumerContext,
  origin: CachedBytes,
  form: MapForm,
): Promise<CachedBytes> {
  if (!form.isStale && form.target === undefined) return origin
  const name = JSON.stringify(form)
  return await readForm(ctx, origin, { name, write: (map) => formText(map, form) })
}
