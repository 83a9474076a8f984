import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BookingContext } from '../../context.ts'
import { changeConsent, SessionPreferencesVM } from '../../preferences/change-preferences.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: named(
    'ConsentRequest',
    Type.Object(
      {
        telemetry: Type.Optional(Type.Boolean({ description: 'Usage may be recorded' })),
        functional: Type.Optional(Type.Boolean({ description: 'Preferences may be remembered' })),
      },
      { minProperties: 1 },
    ),
  ),
  response: { 200: SessionPreferencesVM },
}

type SetRequest = SchemaRequest<typeof schema>

/** Consents to telemetry, or withdraws the consent. */
export function setConsentRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.consent.set',
    problems: ['MELMASTOON.SESSION.COOKIE_INVALID'],
  } as const
  app.post(
    '/session/consent',
    { config, schema },
    idempotent(bookingMutation<SetRequest>({ ctx, session }), (request) => {
      const actor = bookingActor(ctx, request, session.requireSession(request))
      return changeConsent(ctx, actor, request.body)
    }),
  )
}
