import { type App, idempotent, type SchemaRequest, sessionMutation } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { changePreferences, SessionPreferencesVM } from '../../preferences/change-preferences.ts'
import { changeFlags } from '../../sessions/change-session.ts'
import { requireGuestActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: Type.Object(
    { telemetry: Type.Optional(Type.Boolean()), marketing: Type.Optional(Type.Boolean()) },
    { minProperties: 1, title: 'ConsentRequest', description: 'At least one of them' },
  ),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** A withdrawal is effective with the response, in every process (C8). */
export function setConsentRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session/consent',
    { config: { operation: 'consumer.consent.set' }, schema },
    idempotent(sessionMutation<SetRequest>({ ctx, session }), (request) => {
      const guest = requireGuestActor(ctx, session, request)
      const { client } = guest
      return changePreferences(ctx, {
        ...guest,
        change: (data) => ({ ...data, flags: changeFlags(data.flags, client, request.body) }),
      })
    }),
  )
}
