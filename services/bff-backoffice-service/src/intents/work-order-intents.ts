import { asAbsent, type ClientOf } from '@melmastoon/bff/upstreams'
import type { Id } from '@melmastoon/domain'
import type { RoomDetail } from '@melmastoon/upstream-contracts/housekeeping'
import {
  type maintenanceContract,
  SEVERITIES,
  WORK_ORDER_CATEGORIES,
  type WorkOrderDetail,
} from '@melmastoon/upstream-contracts/maintenance'
import { Type } from 'typebox'
import {
  resolveWorkOrder,
  WORK_ORDER_PROBLEMS,
  type WorkOrderDeps,
} from '../maintenance/change-work-order.ts'
import {
  CREATE_PROBLEMS,
  type CreateWorkOrderDeps,
  createWorkOrder,
  type RoomDeps,
} from '../maintenance/create-work-order.ts'
import { passing } from '../upstreams/staff-change.ts'
import { defineIntent } from './define-intent.ts'
import { isMadeBy, makerOf, newerThan } from './resource-history.ts'
import { ExpectVersion, NoArgs } from './task-intents.ts'

export interface ReportIssueDeps extends CreateWorkOrderDeps, RoomDeps {
  readonly upstreams: CreateWorkOrderDeps['upstreams'] &
    RoomDeps['upstreams'] & {
      readonly maintenance: Pick<
        ClientOf<typeof maintenanceContract>,
        'findOpen' | 'findByCausation'
      >
    }
}

const Issue = Type.Object(
  {
    category: Type.Enum([...WORK_ORDER_CATEGORIES]),
    severity: Type.Enum([...SEVERITIES]),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    blocksRoom: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

interface RoomWithOrders {
  readonly room: RoomDetail
  /** The order that this intent created. */
  readonly own: WorkOrderDetail | null
  /** The unresolved order of the room and the category. */
  readonly open: WorkOrderDetail | null
}

/** Expects nothing: a defect is reported whatever the state of the room. */
const reportIssueIntent = defineIntent({
  name: 'room.report_issue',
  operation: 'staff.work-order.create',
  activity: { category: 'maintenance', resourceKind: 'room' },
  resource: 'rmu',
  expect: NoArgs,
  args: Issue,
  async read(
    { upstreams: { housekeeping, maintenance } }: ReportIssueDeps,
    { resourceId, args: { category }, causationId, actor: { tenantId } },
    call,
  ): Promise<RoomWithOrders> {
    const roomId = resourceId as Id<'rmu'>
    const options = { ...call, tenantId }
    const room = await housekeeping.getRoom({ params: { roomId } }, options).catch(passing([]))
    const { propertyId } = room
    const [own, open] = await Promise.all([
      maintenance.findByCausation({ params: { propertyId, causationId } }, options).catch(asAbsent),
      maintenance.findOpen({ params: { propertyId }, query: { roomId, category } }, options),
    ])
    return { room, own, open: open.workOrder ?? null }
  },
  propertyOf: ({ room }) => room.propertyId,
  isOwn: ({ own }) => own !== null,
  done: ({ open }) => open && { by: open.reportedBy ?? null, at: open.createdAt },
  unexpected: () => null,
  apply(deps, { resource: { room }, args, causationId, actor }, call) {
    const { roomId, propertyId } = room
    const order = { ...args, roomId, propertyId, source: 'housekeeping_flag' } as const
    return createWorkOrder(deps, { ...order, actor, causationId }, call)
  },
  rejections: CREATE_PROBLEMS,
})

const resolveIntent = defineIntent({
  name: 'work_order.resolve',
  operation: 'staff.work-order.resolve',
  activity: { category: 'maintenance', resourceKind: 'work_order' },
  resource: 'mnt',
  expect: ExpectVersion,
  args: Type.Object(
    { resolution: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })) },
    { additionalProperties: false },
  ),
  read({ upstreams }: WorkOrderDeps, { resourceId, actor: { tenantId } }, call) {
    const params = { workOrderId: resourceId as Id<'mnt'> }
    return upstreams.maintenance.getWorkOrder({ params }, { ...call, tenantId }).catch(passing([]))
  },
  propertyOf: ({ propertyId }) => propertyId,
  isOwn: (order, { causationId }) => isMadeBy(order, causationId),
  done: (order) => makerOf(order, ['resolved', 'verified']),
  unexpected: (order, { expect }) => newerThan(order, expect.version),
  apply(deps, { resourceId, expect, args, causationId, actor }, call) {
    const change = { actor, causationId, expectedVersion: expect.version }
    const workOrderId = resourceId as Id<'mnt'>
    return resolveWorkOrder(deps, { ...change, workOrderId, ...args }, call)
  },
  rejections: WORK_ORDER_PROBLEMS,
})

export const workOrderIntents = [reportIssueIntent, resolveIntent] as const
