import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { activityFor, describesActivity } from '../request-activity.ts'

const RenewedStream = named(
  'RenewedStream',
  Type.Object({
    tokenExpiresAt: Type.String({
      format: 'date-time',
      description: 'The stream ends one minute later, unless it is renewed again',
    }),
  }),
)

const schema = { response: { 200: RenewedStream } }

const activity = {
  category: 'session',
  action: 'stream.renew',
  resourceKind: 'session',
  resourceId: ({ operator }: FastifyRequest) => operator.sessionId,
}

/**
 * Continues a stream with the token of this request (B12). It stores nothing that a repeated
 * request would store twice, so there is no idempotency key.
 */
export function renewStreamRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.stream.renew',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { operator } = request
    if (!(await ctx.streams.renew(operator))) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    await ctx.ledger.record(
      activityFor(ctx, activity, { request, propertyId: null, errorCode: null }),
    )
    reply.header('cache-control', 'no-store')
    return { tokenExpiresAt: operator.tokenExpiresAt.toISOString() }
  }
  app.post('/sse/renew', { config, schema }, describesActivity(handler, activity))
}
