import type { IncomingMessage } from 'node:http'
import { type App, addHeader, sendPrivateJson } from '@melmastoon/chassis/http'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import {
  type ResponsePart,
  type SharedBootstrap,
  TenantBootstrap,
} from '../../bootstrap/bootstrap.ts'
import { bootstrapVersion } from '../../bootstrap/bootstrap-version.ts'
import { joinBootstrap, newNonce } from '../../bootstrap/join-bootstrap.ts'
import { peekBootstrap, type ReadBootstrap, readBootstrap } from '../../bootstrap/read-bootstrap.ts'
import { type BootstrapReader, reportBootstrap } from '../../bootstrap/report-bootstrap.ts'
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

/** The address of the page may contain the token. */
export const NO_REFERRER = ['referrer-policy', 'no-referrer'] as const

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

export type BootstrapParameters = Static<typeof schema.querystring>

/** Everything that the site needs to start. Starts a session if there is none. */
export function getBootstrapRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.bootstrap.get',
    deadlineMs: DEADLINE_MS,
    secretParameters: ['h'],
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
    addHeader(reply, ...NO_REFERRER)
    const token = handoffTokenOf(request.raw, query.h)
    const warm = token === undefined ? peekBootstrap(ctx, actor) : undefined
    if (warm === undefined) return respondLater(ctx, reply, { actor, token })
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
  readonly actor: BootstrapReader
  readonly served: ReadBootstrap
  readonly arrival: HandoffArrivalVM | null
}

/** Copies the bytes of the shared part and adds the part of this response. */
function respond(ctx: BookingContext, reply: FastifyReply, completed: Completed): void {
  const part = completeBootstrap(ctx, reply.request.state, completed)
  sendPrivateJson(reply, joinBootstrap(completed.served.bytes.body, part))
}

/** Reports a bootstrap, and adds its headers. @returns the part of this response. */
export function completeBootstrap(
  ctx: BookingContext,
  { head }: { readonly head: string[] },
  { actor, served, arrival }: Completed,
): ResponsePart {
  const { cache, facts, fanoutLatencyMs } = served
  const handoffArrivalId = arrival?.handoffArrivalId ?? null
  reportBootstrap(ctx, actor, { cache, facts, fanoutLatencyMs, handoffArrivalId })
  head.push('x-bootstrap-version', bootstrapVersion(facts), 'x-cache', cache)
  head.push('content-language', actor.locale)
  return {
    handoffPayload: arrival?.payload ?? null,
    handoffArrivalId,
    serverTime: toIsoDateTime(ctx.clock.now()),
    csp: { nonce: newNonce() },
  }
}

/** The hotel can be shown, but not booked: the page receives the rest in the problem. */
function rejectUnlessPayable({ facts, bytes }: ReadBootstrap): void {
  if (facts.isPayable) return
  const bootstrap = JSON.parse(bytes.body.toString()) as SharedBootstrap
  throw problem('MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED', { extensions: { bootstrap } })
}

/** Neither HEAD nor a prefetch may consume a token: the guest has not opened the link (D4). */
export function handoffTokenOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  fromQuery: string | undefined,
): string | undefined {
  const fromHeader = headers['x-handoff-token']
  const token = typeof fromHeader === 'string' && fromHeader !== '' ? fromHeader : fromQuery
  if (token === undefined || method !== 'GET') return undefined
  const purpose = [headers['sec-purpose'], headers['purpose']].flat().join(' ')
  return /\b(prefetch|prerender)\b/i.test(purpose) ? undefined : token
}
