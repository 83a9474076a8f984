import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import { type Id, type ProblemCode, type PropertyId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { housekeepingContract, RoomDetail } from '@melmastoon/upstream-contracts/housekeeping'
import type {
  maintenanceContract,
  WorkOrderDetail,
} from '@melmastoon/upstream-contracts/maintenance'
import { type Operator, requireProperty } from '../access/operator.ts'
import {
  type ChangeCall,
  changeBody,
  passing,
  type StaffChange,
} from '../upstreams/staff-change.ts'

type Created = InputOf<(typeof maintenanceContract)['operations']['createWorkOrder']>['body']

export interface CreateWorkOrderDeps {
  readonly upstreams: {
    readonly maintenance: Pick<ClientOf<typeof maintenanceContract>, 'createWorkOrder'>
  }
}

export interface RoomDeps {
  readonly upstreams: {
    readonly housekeeping: Pick<ClientOf<typeof housekeepingContract>, 'getRoom'>
  }
}

export const CREATE_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.MAINTENANCE.ROOM_REQUIRED',
  'MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER',
] as const satisfies readonly ProblemCode[]

export interface NewWorkOrder
  extends Omit<Created, 'actor' | 'causationId'>,
    Pick<StaffChange, 'actor' | 'causationId'> {
  readonly propertyId: PropertyId
}

/** Requires that the property is in scope. */
export async function createWorkOrder(
  { upstreams }: CreateWorkOrderDeps,
  { propertyId, actor, causationId, ...order }: NewWorkOrder,
  call: ChangeCall,
): Promise<WorkOrderDetail> {
  const body = { ...order, ...changeBody({ actor, causationId }) }
  return await upstreams.maintenance
    .createWorkOrder({ params: { propertyId }, body }, { ...call, tenantId: actor.tenantId })
    .catch(passing(CREATE_PROBLEMS))
}

/** @throws Problem RESOURCE_NOT_FOUND, also for a room of another property than the named one. */
export async function requireRoom(
  { upstreams }: RoomDeps,
  wanted: {
    readonly operator: Operator
    readonly roomId: Id<'rmu'>
    readonly propertyId?: PropertyId
  },
  call: UpstreamCall,
): Promise<RoomDetail> {
  const { operator, roomId, propertyId } = wanted
  const { tenantId } = operator
  const room = await upstreams.housekeeping
    .getRoom({ params: { roomId } }, { ...call, tenantId })
    .catch(passing([]))
  requireProperty(operator, room.propertyId)
  if (propertyId !== undefined && room.propertyId !== propertyId) {
    throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  }
  return room
}
