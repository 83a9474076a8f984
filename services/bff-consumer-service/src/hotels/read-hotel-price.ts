import { MISSING_SECTION } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import { settleSections } from '@melmastoon/chassis/upstream'
import { type DerivedDeps, markStale, readDerived } from '../derived-responses/read-derived.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { HotelPriceVM } from './hotel-detail.ts'
import {
  type HotelPriceDeps,
  planPrices,
  priceDocument,
  priceFactsOf,
  readHotelPrices,
} from './hotel-prices.ts'
import type { HotelRequest } from './hotel-query.ts'
import { readSources, type SourceDeps } from './read-sources.ts'

export type ServedPrice =
  | {
      readonly kind: 'cached'
      /** The bytes to send. */
      readonly bytes: CachedBytes
      /** The cached price that `bytes` is, or derives from. */
      readonly origin: CachedBytes
      /** For how long after its creation a client may cache it; 0 for a stale price. */
      readonly maxAgeSeconds: number
    }
  /** The pricing service does not respond and no price is cached. */
  | { readonly kind: 'none'; readonly price: HotelPriceVM }

const MAX_AGE_SECONDS = 15
const STALE_PRICES = markStale(['prices'])

/** The price of one hotel with its age (D6). */
export async function readHotelPrice(
  deps: SourceDeps & HotelPriceDeps & DerivedDeps,
  request: HotelRequest,
  call: UpstreamCall,
): Promise<ServedPrice> {
  const sources = await readSources(deps, request.propertyId, call).catch(asBudgetExceeded)
  const priced = planPrices(request, sources, deps.clock.now())
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: call.deadline.signal })
  const { trace } = call
  const { prices } = await settleSections(
    { prices: readHotelPrices(deps, priced, { deadline, trace }) },
    deps.reportSection,
  )
  const { value: origin } = prices
  if (origin === undefined) return { kind: 'none', price: priceDocument(priced, MISSING_SECTION) }
  const { staleFromMs, isComplete } = priceFactsOf(origin)
  const nowMs = deps.clock.nowMs()
  if (nowMs >= staleFromMs) {
    const bytes = await readDerived(deps, origin, STALE_PRICES)
    return { kind: 'cached', bytes, origin, maxAgeSeconds: 0 }
  }
  // Both `Age` and `max-age` count from the creation of the entry.
  const lifeSeconds = Math.floor((staleFromMs - (nowMs - origin.ageMs)) / 1_000)
  const maxAgeSeconds = isComplete ? Math.max(0, Math.min(MAX_AGE_SECONDS, lifeSeconds)) : 0
  return { kind: 'cached', bytes: origin, origin, maxAgeSeconds }
}
