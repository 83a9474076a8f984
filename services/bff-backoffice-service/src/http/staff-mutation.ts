import {
  type IdempotentHandler,
  type IdempotentRouteOptions,
  idempotent,
} from '@melmastoon/chassis/http'
import { isProblem, type ProblemCode, type PropertyId } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import type { Activity } from '../activity/activity.ts'
import type { BackofficeContext } from '../context.ts'

const DAY_MS = 86_400_000
const LEASE_MS = 10_000

type MutationContext = Pick<BackofficeContext, 'idempotency' | 'config' | 'ledger' | 'clock'>

/** What the ledger says about a mutation. */
export interface ActivityOf<R extends FastifyRequest> {
  /** The area, for example `desk`. */
  readonly category: string
  /** For example `reservation.check_in`. */
  readonly action: string
  readonly resourceKind: string
  readonly resourceId: (request: R) => string | null
}

/** Set by a handler as soon as it knows the property of the resource. */
export interface ActivityDetails {
  propertyId: PropertyId | null
}

export interface StaffMutation<R extends FastifyRequest> {
  readonly activity: ActivityOf<R>
  /** Rejections that are replayed like a success. */
  readonly finalRejections?: readonly ProblemCode[]
  readonly leaseMs?: number
}

type StaffHandler<R extends FastifyRequest> = (
  request: R,
  claim: Parameters<IdempotentHandler<R>>[1],
  work: Parameters<IdempotentHandler<R>>[2] & { readonly details: ActivityDetails },
) => ReturnType<IdempotentHandler<R>>

/**
 * A mutation of an operator: idempotent per operator and device (B13). Its activity is committed
 * before the result is stored and sent, success or failure. Without the ledger it fails with a
 * retriable error; the retry finds the key unfinished and continues with the same upstream keys.
 */
export function staffMutation<R extends FastifyRequest>(
  ctx: MutationContext,
  { activity, finalRejections = [], leaseMs = LEASE_MS }: StaffMutation<R>,
  handler: StaffHandler<R>,
) {
  const options: IdempotentRouteOptions<R> = {
    store: ctx.idempotency,
    service: ctx.config.service,
    ttlMs: DAY_MS,
    leaseMs,
    principal: ({ operator }) => `${operator.operatorId}/${operator.deviceId}`,
    tenant: ({ operator }) => operator.tenantId,
    device: ({ operator }) => operator.deviceId,
    operator: ({ operator }) => operator.operatorId,
    finalRejections,
  }
  return idempotent<R>(options, async (request, claim, work) => {
    const details: ActivityDetails = { propertyId: null }
    const record = (errorCode: string | null) =>
      ctx.ledger.record(activityOf(ctx, { request, activity, details, errorCode }))
    const result = await handler(request, claim, { ...work, details }).catch(async (error) => {
      await record(isProblem(error) ? error.code : 'MELMASTOON.GENERAL.INTERNAL')
      throw error
    })
    await record(null)
    return result
  })
}

interface Recorded<R extends FastifyRequest> {
  readonly request: R
  readonly activity: ActivityOf<R>
  readonly details: ActivityDetails
  readonly errorCode: string | null
}

function activityOf<R extends FastifyRequest>(
  { clock }: Pick<MutationContext, 'clock'>,
  { request, activity, details, errorCode }: Recorded<R>,
): Activity {
  const { tenantId, operatorId, deviceId, sessionId } = request.operator
  const { category, action, resourceKind } = activity
  return {
    tenantId,
    operatorId,
    deviceId,
    sessionId,
    propertyId: details.propertyId,
    occurredAt: clock.now(),
    category,
    action,
    resourceKind,
    resourceId: activity.resourceId(request),
    outcome: errorCode === null ? 'success' : 'failure',
    latencyMs: Math.round(performance.now() - request.state.startedMs),
    errorCode,
  }
}
