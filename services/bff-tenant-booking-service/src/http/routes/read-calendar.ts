import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import { calendarOf, findConfirmation } from '../../confirmation/read-confirmation.ts'
import type { BookingContext } from '../../context.ts'
import { chooseLocale } from '../../sessions/site-preferences.ts'
import {
  confirmationRequest,
  confirmationSchema,
  protectConfirmation,
} from '../request-confirmation.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 4_000
const MEDIA_TYPE = 'text/calendar; charset=utf-8'

const schema = {
  ...confirmationSchema,
  response: { 200: { content: { 'text/calendar': { schema: Type.String() } } } },
}

/** Fetched by calendar programs, which keep no cookies: it starts no session. */
export function readCalendarRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.confirmation.calendar',
    deadlineMs: DEADLINE_MS,
    servesSuspended: true,
    responseHeaders: ['Content-Disposition', 'Content-Language', 'Cache-Control'],
    problems: [
      'MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED',
    ],
  } as const
  const path = '/confirmation/:reservationId/calendar.ics'
  app.get(path, { config, schema }, async (request, reply) => {
    protectConfirmation(reply)
    const found = await findConfirmation(ctx, confirmationRequest(request, session))
    const { site, headers } = request
    const lookup = session.lookupOf(request)
    const locale = chooseLocale(site, {
      explicit: undefined,
      preferred: lookup.kind === 'none' ? undefined : lookup.session.data.localePreference,
      acceptLanguage: headers['accept-language'],
    })
    const { name, text } = calendarOf(found, { site, locale })
    reply.header('content-language', locale)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return reply.type(MEDIA_TYPE).send(text)
  })
}
