import { appendEvents } from '@melmastoon/chassis/outbox'
import { type Id, idToUuid, newId, problem, type RoomId, type TenantId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { WorkOrderDetail } from '@melmastoon/upstream-contracts/maintenance'
import type { CallOf } from '../../contract-handlers.ts'
import { operatorUuid, originOf } from '../../staff/staff-change.ts'
import type { PlacedRoom } from '../property/module.ts'
import type { MaintenanceHost } from './maintenance-host.ts'
import { readWorkOrder } from './read-work-order.ts'
import { DUPLICATED } from './scenarios.ts'
import type { MaintenanceOperations } from './work-order.ts'
import { roomBlockedEvent, workOrderEvent } from './work-order-events.ts'
import { insertWorkOrder, type NewWorkOrder } from './work-order-sql.ts'

type Create = MaintenanceOperations['createWorkOrder']

export async function createWorkOrder(
  host: MaintenanceHost,
  input: InputOf<Create>,
  call: CallOf<Create>,
): Promise<WorkOrderDetail> {
  const { tenantId, scenario } = call
  const order = await planOrder(host, tenantId, input)
  if (scenario === DUPLICATED) await insertFirst(host, tenantId, order)
  return await host.db.withTenant(tenantId, async (tx) => {
    const [added] = await tx.query(insertWorkOrder(order))
    if (added === undefined) throw problem('MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER')
    const created = await readWorkOrder(tx, { tenantId, workOrderId: order.workOrderId })
    await appendEvents(tx, [
      workOrderEvent(tenantId, created, call.cause),
      ...(created.blocksRoom ? [roomBlockedEvent(tenantId, created, call.cause)] : []),
    ])
    return await call.finish(tx, created)
  })
}

async function planOrder(
  host: MaintenanceHost,
  tenantId: TenantId,
  { params, body }: InputOf<Create>,
): Promise<NewWorkOrder & { workOrderId: Id<'mnt'> }> {
  const { propertyId } = params
  await host.property.readHotel({ tenantId, propertyId })
  const { roomId, category, severity, title, description = null, source } = body
  const { blocksRoom = false } = body
  if (blocksRoom && roomId === undefined) throw problem('MELMASTOON.MAINTENANCE.ROOM_REQUIRED')
  const room = roomId === undefined ? null : await readRoom(host, { tenantId, propertyId, roomId })
  const origin = originOf(body)
  const workOrderId = newId('mnt')
  return {
    workOrderId,
    tenant: idToUuid(tenantId),
    workOrder: idToUuid(workOrderId),
    property: idToUuid(propertyId),
    room: room && idToUuid(room.roomId),
    roomNumber: room && room.number,
    category,
    severity,
    title,
    description,
    source,
    blocksRoom,
    operator: operatorUuid(origin),
    causationId: origin.causationId,
  }
}

async function readRoom(
  { property }: MaintenanceHost,
  ref: { tenantId: TenantId; propertyId: PlacedRoom['propertyId']; roomId: RoomId },
): Promise<PlacedRoom> {
  const room = await property.findRoom(ref)
  if (room?.propertyId === ref.propertyId) return room
  throw problem('MELMASTOON.MAINTENANCE.ROOM_NOT_FOUND')
}

/** A simulation: someone else has reported the same defect just before. */
async function insertFirst({ db }: MaintenanceHost, tenantId: TenantId, order: NewWorkOrder) {
  const first = { ...order, workOrder: idToUuid(newId('mnt')), operator: null, causationId: null }
  await db.tenantQuery(tenantId, insertWorkOrder({ ...first, blocksRoom: false }))
}
