import type { WorkOrderDetail } from '@melmastoon/upstream-contracts/maintenance'
import { type Static, Type } from 'typebox'
import type { BackofficeContext } from '../context.ts'
import { requireWorkOrder } from '../maintenance/change-work-order.ts'
import { describeWorkOrder } from '../maintenance/work-order-view.ts'
import { type ApplyChange, type ChangeRequest, changeHandler } from './change-handler.ts'
import { typedId } from './change-request.ts'

export const WorkOrderParams = Type.Object({ workOrderId: typedId('mnt') })

/** The handler of all changes to an existing work order. */
export function workOrderHandler<
  R extends ChangeRequest & { params: Static<typeof WorkOrderParams> },
>(
  ctx: BackofficeContext,
  action: 'assign' | 'resolve' | 'verify',
  apply: ApplyChange<R, WorkOrderDetail>,
) {
  const activity = {
    category: 'maintenance',
    action: `work_order.${action}`,
    resourceKind: 'work_order',
    resourceId: ({ params }: R) => params.workOrderId,
  }
  return changeHandler<R>(ctx, {
    activity,
    require: (wanted, call) => requireWorkOrder(ctx, wanted, call),
    apply: async (change, body, call) => describeWorkOrder(await apply(change, body, call)),
  })
}
