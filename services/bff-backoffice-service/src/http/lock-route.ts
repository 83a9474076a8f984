import {
  type Id,
  idPattern,
  type ProblemCode,
  type ReservationId,
  type RoomId,
} from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { BackofficeContext } from '../context.ts'
import type { NewLockAction } from '../locks/lock-action.ts'
import type { LockCall } from '../locks/lock-deps.ts'
import { runAction } from '../locks/run-action.ts'
import { lockResponse } from './lock-view.ts'
import { staffCall } from './staff-call.ts'
import { staffMutation } from './staff-mutation.ts'

export const ReservationParams = Type.Object({
  reservationId: Type.Unsafe<ReservationId>(Type.String({ pattern: idPattern('rsv') })),
})
export const KeyIdField = Type.Unsafe<Id<'key'>>(Type.String({ pattern: idPattern('key') }))
export const RoomIdsField = Type.Array(
  Type.Unsafe<RoomId>(Type.String({ pattern: idPattern('rmu') })),
  { minItems: 1, maxItems: 10, uniqueItems: true, description: 'All rooms of the stay by default' },
)

export const LOCK_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_OPEN',
  'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED',
  'MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND',
  'MELMASTOON.LOCK.VENDOR_REFUSED',
  'MELMASTOON.LOCK.NO_CAPABLE_DEVICE',
  'MELMASTOON.LOCK.GATEWAY_BUSY',
  'MELMASTOON.LOCK.VERSION_CONFLICT',
  'MELMASTOON.LOCK.ILLEGAL_TRANSITION',
  'MELMASTOON.LOCK.WINDOW_INVALID',
  'MELMASTOON.PROPERTY.NOT_FOUND',
] as const satisfies readonly ProblemCode[]

/** What a lock route does itself: from its request to an action. */
export type PlanAction<R> = (
  request: R,
  requestKey: string,
  call: LockCall,
) => Promise<NewLockAction>

/**
 * The handler of all lock actions. The response is stored only when it is final and has no secret:
 * a repeated request finds the action by its key, so that nothing is done twice.
 */
export function lockHandler<
  R extends FastifyRequest & { params: { reservationId: ReservationId } },
>(ctx: BackofficeContext, action: NewLockAction['command']['action'], plan: PlanAction<R>) {
  const activity = {
    category: 'lock',
    action: `lock.${action}`,
    resourceKind: 'reservation',
    resourceId: ({ params }: R) => params.reservationId,
  }
  return staffMutation<R>(ctx, { activity }, async (request, claim, { details, ...work }) => {
    const call = staffCall(ctx, request, { claim, work, step: 'lock' })
    const { tenantId } = request.operator
    const requestKey = call.idempotencyKey
    const planOnce = async () => {
      const planned = await plan(request, requestKey, call)
      details.propertyId = planned.propertyId
      return planned
    }
    const result = await runAction(ctx, { tenantId, requestKey, plan: planOnce }, call)
    details.propertyId = result.action.propertyId
    const response = lockResponse(result)
    const isStored = response.status === 201 && action !== 'issue'
    if (isStored) return { response }
    return { provisional: response, isReplayed: result.isRepeated === true }
  })
}
