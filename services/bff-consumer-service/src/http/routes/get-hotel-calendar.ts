import type { App } from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { CalendarQuery, planCalendar } from '../../calendar/calendar-query.ts'
import { HotelCalendarVM } from '../../calendar/hotel-calendar.ts'
import { peekHotelCalendar, readHotelCalendar } from '../../calendar/read-hotel-calendar.ts'
import type { ConsumerContext } from '../../context.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { readRequestGuest } from '../request-guest.ts'
import { sendPrices } from '../send-prices.ts'
import { HOTEL_DEADLINE_MS } from './get-hotel.ts'
import type { Hooks } from './index.ts'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: CalendarQuery,
  response: { 200: HotelCalendarVM },
}

/** The cheapest stay per day of arrival; a calendar in memory needs no promise. */
export function getHotelCalendarRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.hotel.calendar',
    deadlineMs: HOTEL_DEADLINE_MS,
  } as const
  const options = { config, schema }
  app.get('/bff/consumer/v1/hotels/:propertyId/calendar', options, (request, reply) => {
    const { query } = request
    const preferences = choosePrivatePreferences(readRequestGuest(session, request), query)
    const asked = { query, preferences }
    const { propertyId } = request.params
    const { currency } = preferences
    const planned = planCalendar({ propertyId, query, currency }, ctx.clock.now())
    const warm = peekHotelCalendar(ctx, planned)
    if (warm !== undefined) return sendPrices(reply, warm, asked)
    const { deadline, trace } = request
    return readHotelCalendar(ctx, planned, { deadline, trace }).then((served) =>
      sendPrices(reply, served, asked),
    )
  })
}
