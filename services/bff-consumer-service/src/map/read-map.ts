import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import { type DerivedDeps, readDerived } from '../derived-responses/read-derived.ts'
import {
  areListingsStale,
  factsOf,
  type PageCache,
  type ServedPage,
} from '../search/served-page.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { type ComposeMapDeps, composeMap } from './compose-map.ts'
import { deriveMap, hasPin, type MapVariant, type TargetedPin } from './derive-map.ts'
import type { MapRequest } from './plan-map.ts'
import { type PricedTarget, type PriceTargetDeps, priceTarget } from './price-target.ts'

export type MapDeps = ComposeMapDeps & PriceTargetDeps & DerivedDeps & { readonly maps: PageCache }

/** The map, if this process has it in memory and it can be sent unchanged. */
export function peekMap(deps: MapDeps, map: MapRequest): ServedPage | undefined {
  const origin = map.target === undefined ? peekBase(deps, map) : undefined
  if (origin === undefined || arePricesStale(deps, origin)) return undefined
  return { bytes: origin, origin, facts: factsOf(origin) }
}

/**
 * The cached map and the price of the targeted pin, cached separately: a client that moves from pin
 * to pin causes price requests only.
 */
export async function readMap(
  deps: MapDeps,
  map: MapRequest,
  call: UpstreamCall,
): Promise<ServedPage> {
  const warm = peekBase(deps, map)
  const [origin, priced] = await Promise.all([
    warm ?? readBase(deps, map, call),
    mayShow(warm, map) ? priceTarget(deps, map, call) : undefined,
  ])
  const target = targetedPin(deps, map, { origin, priced })
  const variant = {
    isStale: areListingsStale(origin),
    arePricesStale: arePricesStale(deps, origin),
    target,
  }
  const bytes = await readVariant(deps, origin, variant)
  const isPriced = target?.price !== undefined && priced?.isBookable === true
  return { bytes, origin, facts: { ...factsOf(origin), priced: isPriced ? 1 : 0 } }
}

function peekBase({ maps }: MapDeps, map: MapRequest): CachedBytes | undefined {
  return maps.peek(map.dims, map.tags)
}

function arePricesStale({ clock }: Pick<MapDeps, 'clock'>, origin: CachedBytes): boolean {
  const { pricesStaleFromMs } = factsOf(origin)
  return pricesStaleFromMs !== null && clock.nowMs() >= pricesStaleFromMs
}

function readBase(deps: MapDeps, map: MapRequest, call: UpstreamCall): Promise<CachedBytes> {
  return deps.maps
    .get({
      dims: map.dims,
      tags: map.tags,
      deadline: call.deadline,
      // With a deadline of its own: the load outlives the request that started it (D10).
      load: (_signal, deadline) => composeMap(deps, map, { deadline, trace: call.trace }),
    })
    .catch(asBudgetExceeded)
}

/** The price of a hotel that is known not to be on the map is not requested. */
function mayShow(warm: CachedBytes | undefined, { target }: MapRequest): boolean {
  return target !== undefined && (warm === undefined || hasPin(warm.body, target))
}

interface MapSources {
  readonly origin: CachedBytes
  readonly priced: PricedTarget | undefined
}

/** A hotel may have left the map since the client loaded it: that is reported, not an error. */
function targetedPin(
  { clock }: { readonly clock: Clock },
  { target: propertyId }: MapRequest,
  { origin, priced }: MapSources,
): TargetedPin | undefined {
  if (propertyId === undefined) return undefined
  if (priced === undefined || !hasPin(origin.body, propertyId)) {
    return { propertyId, section: undefined, price: undefined, isBookable: false }
  }
  const { status, price, capturedAtMs, isBookable } = priced
  // By how much the price is older than the map; the `Age` header adds the rest.
  const aheadMs = clock.nowMs() - origin.ageMs - capturedAtMs
  const ageMs = Math.max(0, Math.floor(aheadMs / 1_000) * 1_000)
  return { propertyId, section: { status, ageMs }, price, isBookable }
}

async function readVariant(
  deps: DerivedDeps,
  origin: CachedBytes,
  variant: MapVariant,
): Promise<CachedBytes> {
  const { isStale, arePricesStale: areOld = false, target } = variant
  if (!isStale && !areOld && target === undefined) return origin
  const name = JSON.stringify(variant)
  return await readDerived(deps, origin, { name, derive: (map) => deriveMap(map, variant) })
}
