import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { ConsumerContext } from '../context.ts'
import { hotelAddress } from '../listings/listing-cache.ts'
import { chooseStay } from './choose-stay.ts'
import type { HotelQuestion } from './hotel-query.ts'
import { loadPrices, type PricesAsked } from './load-prices.ts'
import type { HotelSources } from './read-sources.ts'

/** What to price, now that the hotel's day and those like it are known. */
export function planPrices(
  ctx: ConsumerContext,
  { propertyId, stay, occupancy, currency }: HotelQuestion,
  { timeZone, signals, similar }: HotelSources,
): PricesAsked {
  return {
    propertyId,
    alike: signals && similar.map((hotel) => hotel.propertyId),
    stay: chooseStay(stay, timeZone, ctx.clock.now()),
    occupancy,
    currency,
  }
}

export function peekPrices(ctx: ConsumerContext, asked: PricesAsked): CachedBytes | undefined {
  return ctx.hotelPrices.peek(dimsOf(asked), hotelAddress(asked.propertyId).tags)
}

/** @throws Problem when pricing cannot be asked and nothing is kept. */
export function readPrices(
  ctx: ConsumerContext,
  asked: PricesAsked,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  return ctx.hotelPrices.get({
    dims: dimsOf(asked),
    tags: hotelAddress(asked.propertyId).tags,
    deadline,
    load: (_signal, loadDeadline) => loadPrices(ctx, asked, { deadline: loadDeadline, trace }),
  })
}

/**
 * The stay is resolved to days, so tomorrow's default stay has another key than today's. Similar
 * hotels are not part of the key: processes that know different ones (a suspension, a late response
 * of the search service) must still share one call to pricing.
 */
function dimsOf({ propertyId, stay, occupancy, currency }: PricesAsked) {
  return {
    propertyId,
    stay: `${stay.checkIn} ${stay.checkOut}`,
    occupancy: JSON.stringify(occupancy),
    currency,
  }
}
