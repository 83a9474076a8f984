import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import type { PropertyId } from '@melmastoon/domain'
import type { RateSnapshotVM } from '../cards/listing-card.ts'
import type { ConsumerContext } from '../context.ts'
import { listingTags } from '../listings/define-listings.ts'
import { type Priced, readRates } from './read-rates.ts'

/** A hotel's price as it is now; null where no rate admits the stay. */
export type CurrentRate = Readonly<RateSnapshotVM> | null

/**
 * The price of one hotel, asked for once a minute at most, whoever wants it.
 * @throws Problem when pricing cannot be asked in time.
 */
export async function readRate(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  { deadline, trace, ...priced }: UpstreamCall & Priced,
): Promise<CurrentRate> {
  const { dates, occupancy } = priced.query
  const { body } = await ctx.rates.get({
    dims: { propertyId, currency: priced.currency, stay: JSON.stringify([dates, occupancy]) },
    tags: listingTags(propertyId),
    deadline,
    load: (_signal, loadDeadline) =>
      load(ctx, propertyId, { ...priced, trace, deadline: loadDeadline }),
  })
  const rate = JSON.parse(body.toString()) as CurrentRate
  return rate === null ? null : { ...rate, isStale: rate.isStale || isOver(ctx, rate) }
}

async function load(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  { deadline, trace, ...priced }: UpstreamCall & Priced,
): Promise<LoadResult> {
  const call = { propertyIds: [propertyId], deadline, trace }
  const { byProperty, staleFromMs } = await readRates(ctx, priced, call)
  return {
    body: byProperty.get(propertyId) ?? 'null',
    freshForMs: Math.max(0, staleFromMs - ctx.clock.nowMs()),
  }
}

function isOver({ clock }: ConsumerContext, { ttlExpiresAt }: RateSnapshotVM): boolean {
  return clock.nowMs() >= Date.parse(ttlExpiresAt)
}
