import { type App, addHeader, sendPrivateJson } from '@melmastoon/chassis/http'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type SharedBootstrap, TenantBootstrap } from '../../bootstrap/bootstrap.ts'
import { bootstrapVersion } from '../../bootstrap/bootstrap-version.ts'
import { joinBootstrap, newNonce } from '../../bootstrap/join-bootstrap.ts'
import { peekBootstrap, type ReadBootstrap, readBootstrap } from '../../bootstrap/read-bootstrap.ts'
import { reportBootstrap } from '../../bootstrap/report-bootstrap.ts'
import type { BookingContext } from '../../context.ts'
import { arriveWithHandoff } from '../../handoff/arrive-with-handoff.ts'
import type { HandoffArrivalVM } from '../../handoff/handoff-payload.ts'
import type { BookingActor } from '../../sessions/booking-actor.ts'
import { RequestedCurrency } from '../../sessions/site-preferences.ts'
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
    currency: Type.Optional(RequestedCurrency),
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
    responseHeaders: ['Set-Cookie', 'Cache-Control', 'Content-Language', 'X-Bootstrap-Version'],
    problems: [
      'MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED',
      'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED',
      'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID',
      'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.HANDOFF_EXPIRED',
      'MELMASTOON.BFF.TENANT.HANDOFF_REPLAYED',
      'MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED',
    ],
  } as const
  app.get('/bootstrap', { config, schema }, (request, reply) => {
    const { query } = request
    const guest = ensureSession(ctx, session, { request, reply })
    const actor = bookingActor(ctx, request, guest, query)
    addHeader(reply, 'referrer-policy', 'no-referrer')
    const token = handoffTokenOf(request, query.h)
    const warm = token === undefined ? peekBootstrap(ctx, actor) : undefined
    if (warm === undefined) return respondLater(ctx, reply, { actor, token })
    rejectUnlessPayable(warm)
    respond(ctx, reply, { actor, served: warm, arrival: null })
  })
}

interface Requested {
  readonly actor: BookingActor
  readonly token: string | undefined
}

/** Something is not in memory, or a handoff is consumed. */
async function respondLater(
  ctx: BookingContext,
  reply: FastifyReply,
  { actor, token }: Requested,
): Promise<void> {
  const served = await readBootstrap(ctx, actor, actor).catch(asBudgetExceeded)
  rejectUnlessPayable(served)
  const arrival = token === undefined ? null : await arriveWithHandoff(ctx, { ...actor, token })
  respond(ctx, reply, { actor, served, arrival })
}

interface Completed {
  readonly actor: BookingActor
  readonly served: ReadBootstrap
  readonly arrival: HandoffArrivalVM | null
}

/** Copies the bytes of the shared part and adds the part of this response. */
function respond(
  ctx: BookingContext,
  reply: FastifyReply,
  { actor, served, arrival }: Completed,
): void {
  const { bytes, cache, facts, fanoutLatencyMs } = served
  const handoffArrivalId = arrival?.handoffArrivalId ?? null
  reportBootstrap(ctx, actor, { cache, facts, fanoutLatencyMs, handoffArrivalId })
  addHeader(reply, 'x-bootstrap-version', bootstrapVersion(facts))
  addHeader(reply, 'x-cache', cache)
  addHeader(reply, 'content-language', actor.locale)
  const part = {
    handoffPayload: arrival?.payload ?? null,
    handoffArrivalId,
    serverTime: toIsoDateTime(ctx.clock.now()),
    csp: { nonce: newNonce() },
  }
  sendPrivateJson(reply, joinBootstrap(bytes.body, part))
}

/** The hotel can be shown, but not booked: the page receives the rest in the problem. */
function rejectUnlessPayable({ facts, bytes }: ReadBootstrap): void {
  if (facts.isPayable) return
  const bootstrap = JSON.parse(bytes.body.toString()) as SharedBootstrap
  throw problem('MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED', { extensions: { bootstrap } })
}

/** Neither HEAD nor a prefetch may consume a token: the guest has not opened the link (D4). */
function handoffTokenOf(request: FastifyRequest, fromQuery: string | undefined) {
  const { method, headers } = request
  const fromHeader = headers['x-handoff-token']
  const token = typeof fromHeader === 'string' && fromHeader !== '' ? fromHeader : fromQuery
  if (token === undefined || method !== 'GET') return undefined
  const purpose = [headers['sec-purpose'], headers['purpose']].flat().join(' ')
  return /\b(prefetch|prerender)\b/i.test(purpose) ? undefined : token
}
