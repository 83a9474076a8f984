import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { changePreferences } from '../../sessions/change-preferences.ts'
import { knownCurrency } from '../../sessions/choose-currency.ts'
import { SessionPreferencesVM } from '../../sessions/session-preferences.ts'
import { guestMutation } from '../guest-mutation.ts'
import { witness } from '../witness.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: Type.Object({ currency: text(8) }),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** Prices are shown in it from now on, where the request does not ask for another (C10). */
export function setCurrencyRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session/currency',
    { config: { operation: 'consumer.currency.set' }, schema },
    idempotent(guestMutation<SetRequest>({ ctx, session }), (request) => {
      const currency = knownCurrency(request.body.currency)
      return changePreferences(ctx, {
        ...witness(ctx, session, request),
        change: (data) => ({ ...data, currencyPreference: currency }),
      })
    }),
  )
}
