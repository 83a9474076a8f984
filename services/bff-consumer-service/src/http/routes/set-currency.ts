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
    { currency: text(8) },
    { title: 'CurrencyRequest', description: 'The currency of prices' },
  ),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** The currency of prices from now on, unless a request names another (C10). */
export function setCurrencyRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session/currency',
    { config: { operation: 'consumer.currency.set' }, schema },
    idempotent(sessionMutation<SetRequest>({ ctx, session }), (request) => {
      const currency = guestPreferences.knownCurrency(request.body.currency)
      return changePreferences(ctx, {
        ...requireGuestActor(ctx, session, request),
        change: (data) => ({ ...data, currencyPreference: currency }),
      })
    }),
  )
}
