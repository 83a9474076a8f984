import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { named, text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BookingContext } from '../../context.ts'
import { changePreferences, SessionPreferencesVM } from '../../preferences/change-preferences.ts'
import { siteLocale } from '../../sessions/site-preferences.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: named('LocaleRequest', Type.Object({ locale: text(35) })),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** From now on no header overrides the language; a booking in progress continues in it (T17). */
export function setLocaleRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.locale.set',
    problems: ['MELMASTOON.SESSION.COOKIE_INVALID', 'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED'],
  } as const
  app.post(
    '/session/locale',
    { config, schema },
    idempotent(bookingMutation<SetRequest>({ ctx, session }), (request) => {
      const localePreference = siteLocale(request.site, request.body.locale)
      const actor = bookingActor(ctx, request, session.requireSession(request))
      return changePreferences(ctx, actor, (data) => ({ ...data, localePreference }))
    }),
  )
}
