import type { FastRequest, FastResponder } from '@melmastoon/chassis/http'
import type { PropertyId } from '@melmastoon/domain'
import { type CalendarQuery, planCalendar } from '../../calendar/calendar-query.ts'
import { peekHotelCalendar } from '../../calendar/read-hotel-calendar.ts'
import type { ConsumerContext } from '../../context.ts'
import { type HotelQuery, planHotel } from '../../hotels/hotel-query.ts'
import { peekHotelOffers } from '../../offers/read-hotel-offers.ts'
import { memoizePlans, type Preferences } from '../../search/plan-page.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { type CachedPrices, priceCaching } from '../send-prices.ts'
import { type AdmitGuest, announceGuestLimit } from './fast-guest.ts'

/** As a route of one hotel has validated it. */
interface KnownInput<Query> {
  readonly params: { readonly propertyId: PropertyId }
  readonly query: Query
}

/** How offers and calendars differ. */
interface PriceOperation<Query, Planned> {
  readonly plan: (input: KnownInput<Query>, preferences: Preferences, now: Date) => Planned
  /** The document, if this process has it in memory. */
  readonly peek: (ctx: ConsumerContext, planned: Planned) => CachedPrices | undefined
}

/** Prices of a hotel for one guest, as `sendPrices` sends them. */
function readyPrices<Query extends { readonly locale?: string; readonly currency?: string }, P>(
  ctx: ConsumerContext,
  admit: AdmitGuest,
  { plan, peek }: PriceOperation<Query, P>,
): FastResponder {
  // Equal URLs have the same input, so each is planned once per language and currency.
  const memoizedPlan = memoizePlans(plan)
  return (request) => {
    const admitted = admit(request, 'guarded')
    if (admitted === undefined) return undefined
    const input = request.input as KnownInput<Query> & FastRequest['input']
    const preferences = choosePrivatePreferences(admitted, input.query)
    const served = peek(ctx, memoizedPlan(input, preferences, ctx.clock.nowMs()))
    if (served === undefined) return undefined
    announceGuestLimit(request, admitted)
    request.addHeader('content-language', preferences.locale)
    return { bytes: served.bytes, options: priceCaching(served, input.query) }
  }
}

/** The offers of a hotel, as their route sends them. */
export function readyOffers(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  return readyPrices(ctx, admit, {
    plan: ({ params, query }: KnownInput<HotelQuery>, preferences, now) =>
      planHotel({ propertyId: params.propertyId, query, preferences }, now),
    peek: peekHotelOffers,
  })
}

/** The price calendar of a hotel, as its route sends it. */
export function readyCalendar(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  return readyPrices(ctx, admit, {
    plan: ({ params, query }: KnownInput<CalendarQuery>, { currency }, now) =>
      planCalendar({ propertyId: params.propertyId, query, currency }, now),
    peek: peekHotelCalendar,
  })
}
