import type { App } from '@melmastoon/chassis/http'
import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import type { IssuedTokens } from '@melmastoon/upstream-contracts/iam'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { REFRESH_PROBLEMS, refreshTokens } from '../../access/refresh-tokens.ts'
import type { Activity } from '../../activity/activity.ts'
import type { BackofficeContext } from '../../context.ts'
import { pathBelowBase, proofsOf } from '../request-operator.ts'

const RefreshedTokens = named(
  'RefreshedTokens',
  Type.Object({
    accessToken: Type.String(),
    refreshToken: Type.String({ description: 'Replaces the one that was sent' }),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires' }),
    sessionId: Type.String({ pattern: idPattern('bos') }),
    operatorId: Type.String({ pattern: idPattern('opr') }),
    deviceId: Type.String({ pattern: idPattern('dev') }),
    tenantId: Type.String({ pattern: idPattern('tnt') }),
    familyExpiresAt: Type.String({
      format: 'date-time',
      description: 'When signing in again is required',
    }),
  }),
)

const schema = {
  body: named(
    'RefreshSessionRequest',
    Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  ),
  response: { 200: RefreshedTokens },
}

/**
 * New tokens for the holder of the device key (B1). The refresh token is the credential and makes
 * the request repeatable, so there is neither an access token nor an idempotency key.
 */
export function refreshSessionRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.session.refresh',
    problems: REFRESH_PROBLEMS,
  } as const
  app.post('/auth/refresh', { config, schema }, async (request, reply) => {
    const { refreshToken } = request.body
    const presented = {
      proof: proofsOf(request),
      method: request.method,
      path: pathBelowBase(request),
      address: request.ip,
    }
    reply.header('cache-control', 'no-store')
    const issued = await ctx.access.withDeviceKey(presented, (jkt) =>
      refreshTokens(ctx, { refreshToken, jkt }, request),
    )
    // The old token has been replaced: without this response the device would lose its session.
    await ctx.ledger.record(activityOf(issued, ctx, request)).catch(ctx.errors.for('ledger'))
    return issued
  })
}

function activityOf(
  { tenantId, operatorId, deviceId, sessionId }: IssuedTokens,
  { clock }: Pick<BackofficeContext, 'clock'>,
  { state }: FastifyRequest,
): Activity {
  return {
    tenantId,
    operatorId,
    deviceId,
    sessionId,
    propertyId: null,
    resourceKind: 'session',
    resourceId: sessionId,
    occurredAt: clock.now(),
    category: 'session',
    action: 'session.refresh',
    outcome: 'success',
    latencyMs: Math.round(performance.now() - state.startedMs),
    errorCode: null,
  }
}
