import { type App, idempotent, type SchemaRequest, sessionMutation } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { changePreferences, SessionPreferencesVM } from '../../preferences/change-preferences.ts'
import { guestPreferences } from '../../sessions/guest-preferences.ts'
import { requireGuestActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: Type.Object(
    { locale: text(35) },
    { title: 'LocaleRequest', description: 'The language of texts' },
  ),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** From now on no header overrides the language (C10). */
export function setLocaleRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session/locale',
    { config: { operation: 'consumer.locale.set' }, schema },
    idempotent(sessionMutation<SetRequest>({ ctx, session }), (request) => {
      const locale = guestPreferences.knownLocale(request.body.locale)
      return changePreferences(ctx, {
        ...requireGuestActor(ctx, session, request),
        change: (data) => ({ ...data, localePreference: locale }),
      })
    }),
  )
}
