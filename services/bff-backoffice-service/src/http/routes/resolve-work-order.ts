import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import {
  requireWorkOrder,
  resolveWorkOrder,
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
    'ResolveWorkOrderRequest',
    Type.Object({
      resolution: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
      expectedVersion: expectedVersion(),
    }),
  ),
  response: { 200: ChangedWorkOrder },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'maintenance',
  action: 'work_order.resolve',
  resourceKind: 'work_order',
  resourceId: ({ params }: Request) => params.workOrderId,
}

/** The defect is repaired; a manager verifies it. */
export function resolveWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.resolve',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: WORK_ORDER_PROBLEMS,
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await requireWorkOrder(ctx, { operator, ...params }, call)
    work.details.propertyId = propertyId
    const change = { ...changeBy(request, body), ...params, resolution: body.resolution }
    const order = await resolveWorkOrder(ctx, change, call)
    return { response: { status: 200, body: describeWorkOrder(order) } }
  })
  app.post('/maintenance/work-orders/:workOrderId/resolve', { config, schema }, handler)
}
