import { isUniqueViolation, type Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { problem, type TenantId } from '@melmastoon/domain'
import type { Actor } from '@melmastoon/upstream-contracts'
import {
  type Assignee,
  WORK_ORDER_MOVES,
  type WorkOrderDetail,
  type WorkOrderStatus,
} from '@melmastoon/upstream-contracts/maintenance'
import type { CallOf } from '../../contract-handlers.ts'
import { operatorUuid, originOf } from '../../staff/staff-change.ts'
import type { MaintenanceHost } from './maintenance-host.ts'
import { readWorkOrder } from './read-work-order.ts'
import { CHANGED } from './scenarios.ts'
import { type MaintenanceOperations, type WorkOrderRow, workOrderKey } from './work-order.ts'
import { workOrderEvent } from './work-order-events.ts'
import { lockWorkOrder, moveWorkOrder as moveWorkOrderSql } from './work-order-sql.ts'

export interface Move {
  readonly workOrderId: WorkOrderDetail['workOrderId']
  readonly to: WorkOrderStatus
  readonly assignee?: Assignee
  readonly body: {
    readonly actor: Actor
    readonly causationId?: string
    readonly expectedVersion?: number
    readonly resolution?: string
  }
}

type MoveCall = CallOf<MaintenanceOperations['verify']>

export async function moveWorkOrder(
  host: MaintenanceHost,
  move: Move,
  call: MoveCall,
): Promise<WorkOrderDetail> {
  const { tenantId, cause } = call
  if (call.scenario === CHANGED) await touchWorkOrder(host, tenantId, move.workOrderId)
  return await host.db.withTenant(tenantId, async (tx) => {
    const moved = await applyMove(tx, tenantId, move)
    await appendEvents(tx, [workOrderEvent(tenantId, moved, cause)])
    return await call.finish(tx, moved)
  })
}

async function applyMove(tx: Tx, tenantId: TenantId, move: Move): Promise<WorkOrderDetail> {
  const { workOrderId, to, assignee, body } = move
  const key = workOrderKey({ tenantId, workOrderId })
  const [order] = await tx.query(lockWorkOrder(key))
  checkMove(order, to, body.expectedVersion)
  const origin = originOf(body)
  const statement = moveWorkOrderSql({
    ...key,
    to,
    ...(assignee && { assignee }),
    ...(body.resolution !== undefined && { resolution: body.resolution }),
    operator: operatorUuid(origin),
    causationId: origin.causationId,
  })
  await tx.query(statement).catch(rejectSuccessor)
  return await readWorkOrder(tx, { tenantId, workOrderId })
}

function checkMove(
  order: WorkOrderRow | undefined,
  to: WorkOrderStatus,
  expectedVersion: number | undefined,
): void {
  if (order === undefined) throw problem('MELMASTOON.MAINTENANCE.WORK_ORDER_NOT_FOUND')
  if (expectedVersion !== undefined && expectedVersion !== order.version) {
    throw problem('MELMASTOON.MAINTENANCE.VERSION_CONFLICT')
  }
  const moves = WORK_ORDER_MOVES[order.status]
  if (moves.length === 0) throw problem('MELMASTOON.MAINTENANCE.WORK_ORDER_TERMINAL')
  if (!moves.includes(to)) throw problem('MELMASTOON.MAINTENANCE.INVALID_STATUS_TRANSITION')
}

/** A resolved order cannot be reopened when another one was created for the same defect since. */
function rejectSuccessor(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw problem('MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER')
}

/** A simulation: a change by someone else that keeps the status. */
async function touchWorkOrder(
  { db }: MaintenanceHost,
  tenantId: TenantId,
  workOrderId: Move['workOrderId'],
): Promise<void> {
  const key = workOrderKey({ tenantId, workOrderId })
  await db.withTenant(tenantId, async (tx) => {
    const [order] = await tx.query(lockWorkOrder(key))
    if (order === undefined) return
    const touch = { ...key, to: order.status, operator: null, causationId: null }
    await tx.query(moveWorkOrderSql(touch))
  })
}
