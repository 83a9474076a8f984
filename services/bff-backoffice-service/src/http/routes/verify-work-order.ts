import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import {
  requireWorkOrder,
  verifyWorkOrder,
  WORK_ORDER_PROBLEMS,
} from '../../maintenance/change-work-order.ts'
import { ChangedWorkOrder, describeWorkOrder } from '../../maintenance/work-order-view.ts'
import {
  CHANGE_DEADLINE_MS,
  changeBy,
  changeCall,
  expectedVersion,
  typedId,
} from '../change-request.ts'
import { staffMutation } from '../staff-mutation.ts'

const schema = {
  params: Type.Object({ workOrderId: typedId('mnt') }),
  body: named(
    'VerifyWorkOrderRequest',
    Type.Object({
      expectedVersion: expectedVersion(),
    }),
  ),
  response: { 200: ChangedWorkOrder },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'maintenance',
  action: 'work_order.verify',
  resourceKind: 'work_order',
  resourceId: ({ params }: Request) => params.workOrderId,
}

/** Confirms the repair: a blocked room returns to service. */
export function verifyWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.verify',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: WORK_ORDER_PROBLEMS,
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await requireWorkOrder(ctx, { operator, ...params }, call)
    work.details.propertyId = propertyId
    const change = { ...changeBy(request, body), ...params }
    const order = await verifyWorkOrder(ctx, change, call)
    return { response: { status: 200, body: describeWorkOrder(order) } }
  })
  app.post('/maintenance/work-orders/:workOrderId/verify', { config, schema }, handler)
}
