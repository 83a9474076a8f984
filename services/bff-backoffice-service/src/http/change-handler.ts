import type { PropertyId } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import type { Operator } from '../access/operator.ts'
import type { BackofficeContext } from '../context.ts'
import type { ChangeCall, StaffChange } from '../upstreams/staff-change.ts'
import { changeBy, changeCall } from './change-request.ts'
import type { RouteActivity } from './request-activity.ts'
import { staffMutation } from './staff-mutation.ts'

/** A request that changes the resource named by its parameters. */
export type ChangeRequest = FastifyRequest & {
  params: object
  body: { readonly expectedVersion?: number }
}

/** Changes the resource; the result is the body of the response. */
export type ApplyChange<R extends ChangeRequest, Result = object> = (
  change: R['params'] & StaffChange,
  body: R['body'],
  call: ChangeCall,
) => Promise<Result>

export interface ResourceChange<R extends ChangeRequest> {
  readonly activity: RouteActivity<R>
  /** Reads the resource. @throws Problem RESOURCE_NOT_FOUND, also for a property out of scope. */
  readonly require: (
    wanted: R['params'] & { readonly operator: Operator },
    call: ChangeCall,
  ) => Promise<{ readonly propertyId: PropertyId }>
  readonly apply: ApplyChange<R>
}

/** The handler of changes to one resource of an upstream: in scope first, then changed. */
export function changeHandler<R extends ChangeRequest>(
  ctx: BackofficeContext,
  { activity, require, apply }: ResourceChange<R>,
) {
  return staffMutation<R>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await require({ ...params, operator }, call)
    work.details.propertyId = propertyId
    const changed = await apply({ ...params, ...changeBy(request, body) }, body, call)
    return { response: { status: 200, body: changed } }
  })
}
