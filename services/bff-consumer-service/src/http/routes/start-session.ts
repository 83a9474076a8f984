import { type App, eventCause, type SchemaRequest } from '@melmastoon/chassis/http'
import { isTimeZone, problem } from '@melmastoon/domain'
import { text } from '@melmastoon/upstream-contracts'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { adjustSession } from '../../sessions/adjust-session.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import { type GuestSession, GuestSessionVM, viewOf } from '../../sessions/guest-session.ts'
import { openSession } from '../../sessions/open-session.ts'
import { readVisit } from '../read-visit.ts'
import { setSessionCookie } from '../session-cookie.ts'
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

const schema = { body: Body, response: { 200: GuestSessionVM, 201: GuestSessionVM } }

type StartRequest = SchemaRequest<typeof schema>

/** Begins a session, or goes on with the one there is: asking twice makes no second one. */
export function startSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.session.start', limitClass: 'read' } as const
  app.post('/bff/consumer/v1/session', { config, schema }, async (request, reply) => {
    checkDevice(request.body)
    reply.header('cache-control', 'no-store')
    const lookup = session.lookupOf(request)
    if (lookup.kind === 'none') return beginSession(ctx, request, reply)
    return continueSession(ctx, request, { known: session.requireSession(request), reply })
  })
}

async function beginSession(ctx: ConsumerContext, request: StartRequest, reply: FastifyReply) {
  const { locale, currency, device, consent } = request.body
  const hasChosen = (locale ?? currency ?? consent) !== undefined
  const visit = readVisit(request)
  const preferences = choosePreferences({ said: request.body, visit, kept: undefined })
  const newcomer = { visit, ...preferences, device, consent, hasChosen }
  const opened = await openSession(ctx, newcomer, eventCause(ctx, request))
  setSessionCookie(reply, opened.cookieValue)
  return reply.code(201).send(viewOf(opened.session))
}

interface Continuing {
  readonly known: GuestSession
  readonly reply: FastifyReply
}

async function continueSession(
  ctx: ConsumerContext,
  request: StartRequest,
  { known, reply }: Continuing,
) {
  const { body: said } = request
  const { consent } = said
  const adjusted = await adjustSession(ctx, known, {
    said,
    consent,
    visit: readVisit(request),
    cause: () => eventCause(ctx, request),
  })
  setSessionCookie(reply, ctx.sessions.cookieValueOf(adjusted))
  return reply.send(viewOf(adjusted))
}

function checkDevice({ device }: Static<typeof Body>): void {
  if (device?.timeZone === undefined || isTimeZone(device.timeZone)) return
  const error = { pointer: '/device/timeZone', code: 'unknown', detail: 'is not a time zone' }
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors: [error] })
}
