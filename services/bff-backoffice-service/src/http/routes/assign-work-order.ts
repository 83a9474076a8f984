import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Assignee } from '@melmastoon/upstream-contracts/maintenance'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import {
  ASSIGN_PROBLEMS,
  assignWorkOrder,
  requireWorkOrder,
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
    'AssignWorkOrderRequest',
    Type.Object({
      assignee: Assignee,
      expectedVersion: expectedVersion(),
    }),
  ),
  response: { 200: ChangedWorkOrder },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'maintenance',
  action: 'work_order.assign',
  resourceKind: 'work_order',
  resourceId: ({ params }: Request) => params.workOrderId,
}

/** Also to someone else; reopens a resolved order. */
export function assignWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.assign',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: ASSIGN_PROBLEMS,
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await requireWorkOrder(ctx, { operator, ...params }, call)
    work.details.propertyId = propertyId
    const change = { ...changeBy(request, body), ...params, assignee: body.assignee }
    const order = await assignWorkOrder(ctx, change, call)
    return { response: { status: 200, body: describeWorkOrder(order) } }
  })
  app.post('/maintenance/work-orders/:workOrderId/assign', { config, schema }, handler)
}
