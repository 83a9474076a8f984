import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { verifyWorkOrder, WORK_ORDER_PROBLEMS } from '../../maintenance/change-work-order.ts'
import { ChangedWorkOrder } from '../../maintenance/work-order-view.ts'
import { CHANGE_DEADLINE_MS, expectedVersion } from '../change-request.ts'
import { WorkOrderParams, workOrderHandler } from '../work-order-handler.ts'

const schema = {
  params: WorkOrderParams,
  body: named('VerifyWorkOrderRequest', Type.Object({ expectedVersion: expectedVersion() })),
  response: { 200: ChangedWorkOrder },
}
type Request = SchemaRequest<typeof schema>

/** Confirms the repair: a blocked room returns to service. */
export function verifyWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.verify',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: WORK_ORDER_PROBLEMS,
  } as const
  const handler = workOrderHandler<Request>(ctx, 'verify', (change, _body, call) =>
    verifyWorkOrder(ctx, change, call),
  )
  app.post('/maintenance/work-orders/:workOrderId/verify', { config, schema }, handler)
}
