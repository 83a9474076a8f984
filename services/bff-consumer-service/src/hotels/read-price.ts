import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import { settleSections } from '@melmastoon/chassis/upstream'
import type { ConsumerContext } from '../context.ts'
import { markStale, readDerived } from '../derived-responses/read-derived.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { HotelPriceVM } from './hotel-detail.ts'
import type { HotelQuestion } from './hotel-query.ts'
import { headOf } from './load-prices.ts'
import { priceFactsOf } from './price-facts.ts'
import { planPrices, readPrices } from './read-prices.ts'
import { readSources } from './read-sources.ts'

export type ServedPrice =
  | {
      readonly kind: 'kept'
      /** What is sent. */
      readonly bytes: CachedBytes
      /** The kept price it is, or derives from. */
      readonly origin: CachedBytes
      /** For how long after it was made it is worth keeping; none for what is stale. */
      readonly maxAgeSeconds: number
    }
  /** Pricing does not answer and nothing is known. */
  | { readonly kind: 'none'; readonly price: HotelPriceVM }

const MAX_AGE_SECONDS = 15
const STALE_PRICES = markStale(['prices'])

/** The price of one hotel with the truth about its age (D6). */
export async function readPrice(
  ctx: ConsumerContext,
  question: HotelQuestion,
  call: UpstreamCall,
): Promise<ServedPrice> {
  const sources = await readSources(ctx, question.propertyId, call).catch(asBudgetExceeded)
  const asked = planPrices(ctx, question, sources)
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: call.deadline.signal })
  const { trace } = call
  const { prices } = await settleSections(
    { prices: readPrices(ctx, asked, { deadline, trace }) },
    ctx.reportSection,
  )
  const { value: origin } = prices
  if (origin === undefined) {
    return { kind: 'none', price: headOf(asked, { status: 'missing', ageMs: 0 }) }
  }
  const { staleFromMs, isComplete } = priceFactsOf(origin)
  const nowMs = ctx.clock.nowMs()
  if (nowMs >= staleFromMs) {
    return {
      kind: 'kept',
      bytes: await readDerived(ctx, origin, STALE_PRICES),
      origin,
      maxAgeSeconds: 0,
    }
  }
  // `Age` counts from when it was made, and so does this.
  const lifeSeconds = Math.floor((staleFromMs - (nowMs - origin.ageMs)) / 1_000)
  const maxAgeSeconds = isComplete ? Math.max(0, Math.min(MAX_AGE_SECONDS, lifeSeconds)) : 0
  return { kind: 'kept', bytes: origin, origin, maxAgeSeconds }
}
