import { randomBytes } from 'node:crypto'
import { type App, sendPrivateJson } from '@melmastoon/chassis/http'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  type ResponsePart,
  type SharedBootstrap,
  TenantBootstrap,
} from '../../bootstrap/bootstrap.ts'
import { bootstrapVersion } from '../../bootstrap/bootstrap-version.ts'
import { readBootstrap } from '../../bootstrap/read-bootstrap.ts'
import { reportBootstrap } from '../../bootstrap/report-bootstrap.ts'
import type { BookingContext } from '../../context.ts'
import { arriveWithHandoff } from '../../handoff/arrive-with-handoff.ts'
import type { HandoffArrivalVM } from '../../handoff/handoff-payload.ts'
import type { BookingActor } from '../../sessions/booking-actor.ts'
import { asBudgetExceeded } from '../../upstreams/create-upstreams.ts'
import { bookingActor, ensureSession } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const TOKEN_LENGTH_MAX = 10_240

const schema = {
  querystring: Type.Object({
    h: Type.Optional(
      Type.String({ maxLength: TOKEN_LENGTH_MAX, description: 'As `X-Handoff-Token`' }),
    ),
    locale: Type.Optional(
      Type.String({ minLength: 1, maxLength: 35, description: 'By default that of the session' }),
    ),
    currency: Type.Optional(
      Type.String({ minLength: 1, maxLength: 8, description: 'By default that of the session' }),
    ),
  }),
  response: { 200: TenantBootstrap },
}

const documentedHeaders = {
  'x-handoff-token': {
    type: 'string',
    description: 'The token of a booking link, which is consumed. Ignored for HEAD and prefetches.',
  },
} as const

/** Everything that the site needs to start. Starts a session if there is none. */
export function getBootstrapRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.bootstrap.get',
    deadlineMs: DEADLINE_MS,
    documentedHeaders,
    responseHeaders: ['Set-Cookie', 'Cache-Control', 'X-Bootstrap-Version'],
    problems: [
      'MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED',
      'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED',
      'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED',
      'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID',
      'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.HANDOFF_EXPIRED',
      'MELMASTOON.BFF.TENANT.HANDOFF_REPLAYED',
      'MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED',
    ],
  } as const
  app.get('/bootstrap', { config, schema }, async (request, reply) => {
    const { query } = request
    const guest = ensureSession(ctx, session, { request, reply })
    const actor = bookingActor(ctx, request, guest, query)
    reply.header('referrer-policy', 'no-referrer')
    const served = await readBootstrap(ctx, actor, actor).catch(asBudgetExceeded)
    const shared = served.bytes.body.toString()
    if (!served.facts.isPayable) throw notConfigured(shared)
    const arrival = await arrive(ctx, actor, handoffTokenOf(request, query.h))
    const handoffArrivalId = arrival?.handoffArrivalId ?? null
    reportBootstrap(ctx, actor, { ...served, handoffArrivalId })
    reply.header('x-bootstrap-version', bootstrapVersion(served.facts))
    reply.header('x-cache', served.cache)
    sendPrivateJson(reply, joined(shared, responsePart(ctx, arrival)))
    return reply
  })
}

/** The hotel can be shown, but not booked: the page receives the rest in the problem. */
function notConfigured(shared: string) {
  const bootstrap = JSON.parse(shared) as SharedBootstrap
  return problem('MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED', { extensions: { bootstrap } })
}

async function arrive(
  ctx: BookingContext,
  actor: BookingActor,
  token: string | undefined,
): Promise<HandoffArrivalVM | null> {
  return token === undefined ? null : await arriveWithHandoff(ctx, { ...actor, token })
}

/** Neither HEAD nor a prefetch may consume a token: the guest has not opened the link (D4). */
function handoffTokenOf(request: FastifyRequest, fromQuery: string | undefined) {
  const { method, headers } = request
  const purpose = [headers['sec-purpose'], headers['purpose']].flat().join(' ')
  if (method !== 'GET' || /\b(prefetch|prerender)\b/i.test(purpose)) return undefined
  const fromHeader = headers['x-handoff-token']
  return typeof fromHeader === 'string' && fromHeader !== '' ? fromHeader : fromQuery
}

function responsePart({ clock }: BookingContext, arrival: HandoffArrivalVM | null): ResponsePart {
  return {
    handoffPayload: arrival?.payload ?? null,
    handoffArrivalId: arrival?.handoffArrivalId ?? null,
    serverTime: toIsoDateTime(clock.now()),
    csp: { nonce: randomBytes(16).toString('base64url') },
  }
}

/** Both are JSON objects with members; the shared one is not serialised again. */
function joined(shared: string, part: ResponsePart): string {
  return `${shared.slice(0, -1)},${JSON.stringify(part).slice(1)}`
}
