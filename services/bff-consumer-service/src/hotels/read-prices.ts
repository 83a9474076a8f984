import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { ConsumerContext } from '../context.ts'
import { hotelAddress } from '../listings/define-listings.ts'
import { chooseStay } from './choose-stay.ts'
import type { HotelQuestion } from './hotel-query.ts'
import { loadPrices, type PricesAsked } from './load-prices.ts'
import type { HotelSources } from './read-sources.ts'

/** What to price, now that the hotel's day and those like it are known. */
export function planPrices(
  ctx: ConsumerContext,
  { propertyId, stay, occupancy, currency }: HotelQuestion,
  { timeZone, similar }: HotelSources,
): PricesAsked {
  return {
    propertyId,
    alike: similar.map((hotel) => hotel.propertyId),
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

/** The days are in the key, so what is kept for tomorrow is not found when tomorrow has come. */
function dimsOf({ propertyId, alike, stay, occupancy, currency }: PricesAsked) {
  return {
    propertyId,
    alike: alike.join(' '),
    stay: `${stay.checkIn} ${stay.checkOut}`,
    occupancy: JSON.stringify(occupancy),
    currency,
  }
}
