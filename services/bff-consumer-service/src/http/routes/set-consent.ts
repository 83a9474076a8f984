import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { adjustFlags } from '../../sessions/adjust-flags.ts'
import { changePreferences } from '../../sessions/change-preferences.ts'
import { SessionPreferencesVM } from '../../sessions/session-preferences.ts'
import { guestMutation } from '../guest-mutation.ts'
import { witness } from '../witness.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: Type.Object(
    { telemetry: Type.Optional(Type.Boolean()), marketing: Type.Optional(Type.Boolean()) },
    { minProperties: 1 },
  ),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** What is withdrawn is withdrawn with the answer, in every process (C8). */
export function setConsentRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session/consent',
    { config: { operation: 'consumer.consent.set' }, schema },
    idempotent(guestMutation<SetRequest>({ ctx, session }), (request) => {
      const guest = witness(ctx, session, request)
      const { visit } = guest
      return changePreferences(ctx, {
        ...guest,
        change: (data) => ({ ...data, flags: adjustFlags(data.flags, visit, request.body) }),
      })
    }),
  )
}
