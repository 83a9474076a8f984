import {
  type IdempotentHandler,
  type IdempotentRouteOptions,
  idempotent,
} from '@melmastoon/chassis/http'
import { isProblem, type ProblemCode, type PropertyId } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import type { BackofficeContext } from '../context.ts'
import { activityFor, describesActivity, type RouteActivity } from './request-activity.ts'

const DAY_MS = 86_400_000
const LEASE_MS = 10_000

type MutationContext = Pick<BackofficeContext, 'idempotency' | 'config' | 'ledger' | 'clock'>

/** Set by a handler as soon as it knows the property of the resource. */
export interface ActivityDetails {
  propertyId: PropertyId | null
}

export interface StaffMutation<R extends FastifyRequest> {
  readonly activity: RouteActivity<R>
  /** Rejections that are replayed like a success. */
  readonly finalRejections?: readonly ProblemCode[]
  readonly leaseMs?: number
}

type StaffHandler<R extends FastifyRequest> = (
  request: R,
  claim: Parameters<IdempotentHandler<R>>[1],
  work: Parameters<IdempotentHandler<R>>[2] & { readonly details: ActivityDetails },
) => ReturnType<IdempotentHandler<R>>

/** Who may see a stored response again (B13). */
export function principalOf({ operatorId, deviceId }: FastifyRequest['operator']): string {
  return `${operatorId}/${deviceId}`
}

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
    principal: ({ operator }) => principalOf(operator),
    tenant: ({ operator }) => operator.tenantId,
    device: ({ operator }) => operator.deviceId,
    operator: ({ operator }) => operator.operatorId,
    finalRejections,
  }
  const handle = idempotent<R>(options, async (request, claim, work) => {
    const details: ActivityDetails = { propertyId: null }
    const record = (errorCode: string | null) =>
      ctx.ledger.record(activityFor(ctx, activity, { request, ...details, errorCode }))
    const result = await handler(request, claim, { ...work, details }).catch(async (error) => {
      await record(isProblem(error) ? error.code : 'MELMASTOON.GENERAL.INTERNAL')
      throw error
    })
    await record(null)
    return result
  })
  return describesActivity(handle, activity)
}
