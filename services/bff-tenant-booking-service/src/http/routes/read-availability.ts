import { readClientInfo } from '@melmastoon/bff/guests'
import { StayQuery } from '@melmastoon/bff/stays'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import { type App, addHeader, sendCached } from '@melmastoon/chassis/http'
import { id, isoDate, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { AvailabilityVM } from '../../availability/availability-view.ts'
import { peekAvailability, readAvailability } from '../../availability/read-availability.ts'
import { readStayQuery } from '../../availability/stay-request.ts'
import type { BookingContext } from '../../context.ts'
import { chooseProperty } from '../../properties/choose-property.ts'
import { peekOnlyProperty } from '../../properties/read-property.ts'
import { choosePreferences, RequestedCurrency } from '../../sessions/site-preferences.ts'
import type { Hooks } from './index.ts'

/** Beyond the limits of all upstreams, so that their sections end first. */
const DEADLINE_MS = 2_000
/** Rooms are sold: clients ask again, and an unchanged response has no body. */
export const AVAILABILITY_CACHING = { cacheControl: 'private, no-cache' }

const schema = {
  querystring: Type.Object({
    ...StayQuery.properties,
    propertyId: Type.Optional(id('ppt')),
    checkIn: isoDate(),
    checkOut: isoDate(),
    currency: Type.Optional(RequestedCurrency),
    locale: Type.Optional(
      Type.String({ minLength: 1, maxLength: 35, description: 'By default that of the session' }),
    ),
  }),
  response: {
    200: named('Availability', AvailabilityVM),
    304: Type.Null({ description: 'Unchanged since the response with this `ETag`' }),
  },
}

export type AvailabilityQuery = Static<typeof schema.querystring>

/** The response is the same for all guests, so that it is composed once (T4). */
export function readAvailabilityRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.availability.read',
    deadlineMs: DEADLINE_MS,
    responseHeaders: ['ETag', 'Cache-Control', 'Content-Language'],
    documentedHeaders: {
      'if-none-match': { type: 'string', description: 'The `ETag` of an earlier response.' },
    },
    problems: [
      'MELMASTOON.PROPERTY.NOT_FOUND',
      'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED',
      'MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED',
    ],
  } as const
  app.get('/availability', { config, schema }, (request, reply) => {
    const { site, query } = request
    const { tenantId } = site
    const { stay, occupancy } = readStayQuery(query, ctx.clock.now())
    const lookup = session.lookupOf(request)
    const stored = lookup.kind === 'none' ? undefined : lookup.session.data
    const client = readClientInfo(request)
    const { locale, currency } = choosePreferences(site, { query, client, stored })
    const propertyId = query.propertyId ?? peekOnlyProperty(ctx, tenantId)
    const requested = { tenantId, stay, occupancy, currency, locale }
    const warm = propertyId && peekAvailability(ctx, { ...requested, propertyId })
    const send = (bytes: CachedBytes) => {
      addHeader(reply, 'content-language', locale)
      sendCached(reply, bytes, AVAILABILITY_CACHING)
    }
    if (warm) return send(warm)
    // Created on first use: a response from memory needs neither.
    const { deadline, trace } = request
    const call = { deadline, trace }
    return chooseProperty(ctx, { tenantId, propertyId }, call)
      .then((chosen) => readAvailability(ctx, { ...requested, propertyId: chosen }, call))
      .then(send)
  })
}
