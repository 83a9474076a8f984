import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Assignee } from '@melmastoon/upstream-contracts/maintenance'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { ASSIGN_PROBLEMS, assignWorkOrder } from '../../maintenance/change-work-order.ts'
import { ChangedWorkOrder } from '../../maintenance/work-order-view.ts'
import { CHANGE_DEADLINE_MS, expectedVersion } from '../change-request.ts'
import { WorkOrderParams, workOrderHandler } from '../work-order-handler.ts'

const schema = {
  params: WorkOrderParams,
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

/** Also to someone else; reopens a resolved order. */
export function assignWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.assign',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: ASSIGN_PROBLEMS,
  } as const
  const handler = workOrderHandler<Request>(ctx, 'assign', (change, { assignee }, call) =>
    assignWorkOrder(ctx, { ...change, assignee }, call),
  )
  app.post('/maintenance/work-orders/:workOrderId/assign', { config, schema }, handler)
}
