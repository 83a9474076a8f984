import type { TenantId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  platformRegistry,
  workOrderAssigned,
  workOrderCreated,
  workOrderResolved,
  workOrderRoomBlocked,
  workOrderStatusChanged,
  workOrderVerified,
} from '@melmastoon/platform-events'
import type { WorkOrderDetail, WorkOrderStatus } from '@melmastoon/upstream-contracts/maintenance'

const SUBJECTS = {
  open: workOrderCreated.subject,
  assigned: workOrderAssigned.subject,
  in_progress: workOrderStatusChanged.subject,
  blocked: workOrderStatusChanged.subject,
  cancelled: workOrderStatusChanged.subject,
  resolved: workOrderResolved.subject,
  verified: workOrderVerified.subject,
} as const satisfies Record<WorkOrderStatus, string>

/** The event of the latest version of an order, which its history describes. */
export function workOrderEvent(
  tenantId: TenantId,
  order: WorkOrderDetail,
  cause: EventContext,
): OutboxEvent {
  return platformRegistry.build(SUBJECTS[order.status], payloadOf(tenantId, order), cause)
}

export function roomBlockedEvent(
  tenantId: TenantId,
  order: WorkOrderDetail,
  cause: EventContext,
): OutboxEvent {
  return platformRegistry.build(workOrderRoomBlocked.subject, payloadOf(tenantId, order), cause)
}

function payloadOf(tenantId: TenantId, order: WorkOrderDetail) {
  const { propertyId, workOrderId, roomId, category, severity, status, blocksRoom } = order
  const latest = order.history.at(-1)
  return {
    tenantId,
    propertyId,
    workOrderId,
    roomId: roomId ?? null,
    category,
    severity,
    status,
    blocksRoom,
    version: order.version,
    operatorId: latest?.operatorId ?? null,
    causationId: latest?.causationId ?? null,
    occurredAt: order.updatedAt,
  }
}
