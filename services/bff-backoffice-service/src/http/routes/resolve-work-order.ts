import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { resolveWorkOrder, WORK_ORDER_PROBLEMS } from '../../maintenance/change-work-order.ts'
import { ChangedWorkOrder } from '../../maintenance/work-order-view.ts'
import { CHANGE_DEADLINE_MS, expectedVersion } from '../change-request.ts'
import { WorkOrderParams, workOrderHandler } from '../work-order-handler.ts'

const schema = {
  params: WorkOrderParams,
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

/** The defect is repaired; a manager verifies it. */
export function resolveWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.resolve',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: WORK_ORDER_PROBLEMS,
  } as const
  const handler = workOrderHandler<Request>(ctx, 'resolve', (change, { resolution }, call) =>
    resolveWorkOrder(ctx, { ...change, resolution }, call),
  )
  app.post('/maintenance/work-orders/:workOrderId/resolve', { config, schema }, handler)
}
