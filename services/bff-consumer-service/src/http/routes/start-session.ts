import { readClientInfo } from '@melmastoon/bff/guests'
import { type App, eventCause, type SchemaRequest } from '@melmastoon/chassis/http'
import { isTimeZone, problem } from '@melmastoon/domain'
import { text } from '@melmastoon/upstream-contracts'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { continueSession } from '../../preferences/continue-session.ts'
import { guestPreferences } from '../../sessions/guest-preferences.ts'
import { GuestSessionVM, viewOf } from '../../sessions/guest-session.ts'
import { startSession } from '../../sessions/start-session.ts'
import { requireGuestActor, setGuestCookie } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const Device = Type.Object(
  {
    screen: Type.Optional(Type.String({ pattern: '^\\d{2,5}x\\d{2,5}$' })),
    timeZone: Type.Optional(text(64)),
  },
  { title: 'Device', description: 'What the browser knows about the device' },
)

const Consent = Type.Object(
  { telemetry: Type.Optional(Type.Boolean()), marketing: Type.Optional(Type.Boolean()) },
  { title: 'Consent', description: 'What the guest agrees to' },
)

const Body = Type.Object(
  {
    locale: Type.Optional(text(35)),
    currency: Type.Optional(text(8)),
    device: Type.Optional(Device),
    consent: Type.Optional(Consent),
  },
  { title: 'StartSessionRequest', description: 'Everything has a default' },
)

const schema = { body: Body, response: { 200: GuestSessionVM, 201: GuestSessionVM } }

type StartRequest = SchemaRequest<typeof schema>

/** Starts a session, or continues the one there is: repeating it starts no second one. */
export function startSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.session.start', limitClass: 'read' } as const
  app.post('/bff/consumer/v1/session', { config, schema }, async (request, reply) => {
    checkDevice(request.body)
    reply.header('cache-control', 'no-store')
    if (session.lookupOf(request).kind === 'none') return start(ctx, request, reply)
    const { body } = request
    const actor = requireGuestActor(ctx, session, request)
    const continued = await continueSession(ctx, { ...actor, body, consent: body.consent })
    setGuestCookie(reply, ctx.sessions.cookieValueOf(continued))
    return reply.send(viewOf(continued))
  })
}

async function start(ctx: ConsumerContext, request: StartRequest, reply: FastifyReply) {
  const { body } = request
  const { locale, currency, device, consent } = body
  const client = readClientInfo(request)
  const { session, cookieValue } = await startSession(ctx, {
    ...guestPreferences.choose({ body, client, stored: undefined }),
    client,
    device,
    consent,
    hasChosen: (locale ?? currency ?? consent) !== undefined,
    cause: eventCause(ctx, request),
  })
  setGuestCookie(reply, cookieValue)
  return reply.code(201).send(viewOf(session))
}

function checkDevice({ device }: Static<typeof Body>): void {
  if (device?.timeZone === undefined || isTimeZone(device.timeZone)) return
  const error = { pointer: '/device/timeZone', code: 'unknown', detail: 'is not a time zone' }
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors: [error] })
}
