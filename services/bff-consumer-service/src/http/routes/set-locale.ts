import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { changePreferences } from '../../sessions/change-preferences.ts'
import { knownLocale } from '../../sessions/choose-locale.ts'
import { SessionPreferencesVM } from '../../sessions/session-preferences.ts'
import { guestMutation } from '../guest-mutation.ts'
import { witness } from '../witness.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: Type.Object({ locale: text(35) }),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** From now on no header speaks for her language any more (C10). */
export function setLocaleRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session/locale',
    { config: { operation: 'consumer.locale.set' }, schema },
    idempotent(guestMutation<SetRequest>({ ctx, session }), (request) => {
      const locale = knownLocale(request.body.locale)
      return changePreferences(ctx, {
        ...witness(ctx, session, request),
        change: (data) => ({ ...data, localePreference: locale }),
      })
    }),
  )
}
