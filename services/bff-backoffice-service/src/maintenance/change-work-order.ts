import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Id, ProblemCode } from '@melmastoon/domain'
import type {
  Assignee,
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

export interface WorkOrderDeps {
  readonly upstreams: {
    readonly maintenance: Pick<
      ClientOf<typeof maintenanceContract>,
      'getWorkOrder' | 'assign' | 'resolve' | 'verify'
    >
  }
}

export const WORK_ORDER_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.MAINTENANCE.VERSION_CONFLICT',
  'MELMASTOON.MAINTENANCE.INVALID_STATUS_TRANSITION',
  'MELMASTOON.MAINTENANCE.WORK_ORDER_TERMINAL',
] as const satisfies readonly ProblemCode[]

export const ASSIGN_PROBLEMS = [
  ...WORK_ORDER_PROBLEMS,
  'MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER',
] as const satisfies readonly ProblemCode[]

/** @throws Problem RESOURCE_NOT_FOUND, also for an order of a property out of scope. */
export async function requireWorkOrder(
  { upstreams }: WorkOrderDeps,
  { operator, workOrderId }: { readonly operator: Operator; readonly workOrderId: Id<'mnt'> },
  call: UpstreamCall,
): Promise<WorkOrderDetail> {
  const { tenantId } = operator
  const order = await upstreams.maintenance
    .getWorkOrder({ params: { workOrderId } }, { ...call, tenantId })
    .catch(passing([]))
  requireProperty(operator, order.propertyId)
  return order
}

export interface WorkOrderChange extends StaffChange {
  readonly workOrderId: Id<'mnt'>
}

/** Requires, as the two others, that the scope was checked. Reopens a resolved order. */
export async function assignWorkOrder(
  { upstreams }: WorkOrderDeps,
  change: WorkOrderChange & { readonly assignee: Assignee },
  call: ChangeCall,
): Promise<WorkOrderDetail> {
  const { workOrderId, assignee } = change
  const input = { params: { workOrderId }, body: { assignee, ...changeBody(change) } }
  const { tenantId } = change.actor
  return await upstreams.maintenance
    .assign(input, { ...call, tenantId })
    .catch(passing(ASSIGN_PROBLEMS))
}

export async function resolveWorkOrder(
  { upstreams }: WorkOrderDeps,
  change: WorkOrderChange & { readonly resolution?: string | undefined },
  call: ChangeCall,
): Promise<WorkOrderDetail> {
  const { workOrderId, resolution } = change
  const body = { ...(resolution !== undefined && { resolution }), ...changeBody(change) }
  const { tenantId } = change.actor
  return await upstreams.maintenance
    .resolve({ params: { workOrderId }, body }, { ...call, tenantId })
    .catch(passing(WORK_ORDER_PROBLEMS))
}

export async function verifyWorkOrder(
  { upstreams }: WorkOrderDeps,
  change: WorkOrderChange,
  call: ChangeCall,
): Promise<WorkOrderDetail> {
  const { workOrderId } = change
  const { tenantId } = change.actor
  return await upstreams.maintenance
    .verify({ params: { workOrderId }, body: changeBody(change) }, { ...call, tenantId })
    .catch(passing(WORK_ORDER_PROBLEMS))
}
