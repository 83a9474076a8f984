import type { App } from '@melmastoon/chassis/http'
import { isTimeZone, problem } from '@melmastoon/domain'
import { text } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { adjustSession } from '../../sessions/adjust-session.ts'
import { chooseCurrency } from '../../sessions/choose-currency.ts'
import { chooseLocale } from '../../sessions/choose-locale.ts'
import { GuestSessionVM, viewOf } from '../../sessions/guest-session.ts'
import { openSession } from '../../sessions/open-session.ts'
import { eventCause } from '../event-cause.ts'
import { readVisit } from '../read-visit.ts'
import { renewSessionCookie, setSessionCookie } from '../session-cookie.ts'
import type { Hooks } from './index.ts'

const Body = Type.Object({
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
  device: Type.Optional(
    Type.Object({
      screen: Type.Optional(Type.String({ pattern: '^\\d{2,5}x\\d{2,5}$' })),
      timeZone: Type.Optional(text(64)),
    }),
  ),
  consent: Type.Optional(
    Type.Object({
      telemetry: Type.Optional(Type.Boolean()),
      marketing: Type.Optional(Type.Boolean()),
    }),
  ),
})

/** Begins a session, or goes on with the one there is: asking twice makes no second one. */
export function startSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/session',
    {
      config: { operation: 'consumer.session.start' },
      schema: { body: Body, response: { 200: GuestSessionVM, 201: GuestSessionVM } },
    },
    async (request, reply) => {
      const visit = readVisit(request)
      const { body } = request
      checkDevice(body)
      const lookup = session.lookupOf(request)
      if (lookup.kind === 'unavailable') session.requireSession(request)
      const known = lookup.kind === 'found' ? lookup.session : undefined
      const locale = chooseLocale({
        explicit: body.locale,
        preferred: known?.data.localePreference,
        acceptLanguage: visit.acceptLanguage,
      })
      const currency = chooseCurrency({
        explicit: body.currency,
        header: visit.currency,
        preferred: known?.data.currencyPreference,
      })
      reply.header('cache-control', 'no-store')
      const { consent, device } = body
      if (known !== undefined) {
        const wishes = { locale, currency, consent, visit }
        const adjusted = await adjustSession(ctx, known, wishes)
        renewSessionCookie(reply)
        return reply.send(viewOf(adjusted))
      }
      const newcomer = { visit, locale, currency, device, consent }
      const opened = await openSession(ctx, newcomer, eventCause(ctx, request))
      setSessionCookie(reply, opened.cookieValue)
      return reply.code(201).send(viewOf(opened.session))
    },
  )
}

function checkDevice({ device }: Static<typeof Body>): void {
  if (device?.timeZone === undefined || isTimeZone(device.timeZone)) return
  const error = { pointer: '/device/timeZone', code: 'unknown', detail: 'is not a time zone' }
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors: [error] })
}
