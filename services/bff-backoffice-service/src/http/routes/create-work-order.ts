import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import {
  SEVERITIES,
  WORK_ORDER_CATEGORIES,
  WORK_ORDER_SOURCES,
} from '@melmastoon/upstream-contracts/maintenance'
import { Type } from 'typebox'
import { requireProperty } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'
import {
  CREATE_PROBLEMS,
  createWorkOrder,
  requireRoom,
} from '../../maintenance/create-work-order.ts'
import { ChangedWorkOrder, describeWorkOrder } from '../../maintenance/work-order-view.ts'
import { CHANGE_DEADLINE_MS, changeCall, typedId } from '../change-request.ts'
import { staffMutation } from '../staff-mutation.ts'

const schema = {
  body: named(
    'CreateWorkOrderRequest',
    Type.Object({
      propertyId: typedId('ppt'),
      roomId: Type.Optional(typedId('rmu')),
      category: Type.Enum([...WORK_ORDER_CATEGORIES]),
      severity: Type.Enum([...SEVERITIES]),
      title: Type.String({ minLength: 1, maxLength: 200 }),
      description: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
      source: Type.Enum([...WORK_ORDER_SOURCES], { default: 'manual_staff' }),
      blocksRoom: Type.Optional(
        Type.Boolean({ description: 'The room cannot be sold until the order is verified' }),
      ),
    }),
  ),
  response: { 201: ChangedWorkOrder },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'maintenance',
  action: 'work_order.create',
  resourceKind: 'room',
  resourceId: ({ body }: Request) => body.roomId ?? null,
}

/** A room has at most one unresolved order per category. */
export function createWorkOrderRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.work-order.create',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: CREATE_PROBLEMS,
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, body } = request
    const { roomId } = body
    const call = changeCall(request, claim, work)
    const propertyId = requireProperty(operator, body.propertyId)
    work.details.propertyId = propertyId
    if (roomId !== undefined) await requireRoom(ctx, { operator, roomId, propertyId }, call)
    const order = await createWorkOrder(ctx, { ...body, actor: operator }, call)
    return { response: { status: 201, body: describeWorkOrder(order) } }
  })
  app.post('/maintenance/work-orders', { config, schema }, handler)
}
