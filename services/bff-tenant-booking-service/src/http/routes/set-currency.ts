import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BookingContext } from '../../context.ts'
import { changePreferences, SessionPreferencesVM } from '../../preferences/change-preferences.ts'
import { RequestedCurrency, siteCurrency } from '../../sessions/site-preferences.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: named('CurrencyRequest', Type.Object({ currency: RequestedCurrency })),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** The currency of prices from now on; a held room keeps the currency of its quote (T17). */
export function setCurrencyRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.currency.set',
    problems: ['MELMASTOON.SESSION.COOKIE_INVALID'],
  } as const
  app.post(
    '/session/currency',
    { config, schema },
    idempotent(bookingMutation<SetRequest>({ ctx, session }), (request) => {
      const displayCurrency = siteCurrency(request.site, request.body.currency)
      const actor = bookingActor(ctx, request, session.requireSession(request))
      return changePreferences(ctx, actor, (data) => ({ ...data, displayCurrency }))
    }),
  )
}
