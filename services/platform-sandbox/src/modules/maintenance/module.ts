import type { Queryable } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, type RoomId, type TenantId } from '@melmastoon/domain'
import { maintenanceContract } from '@melmastoon/upstream-contracts/maintenance'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { createWorkOrder } from './create-work-order.ts'
import type { Siblings } from './maintenance-host.ts'
import { moveWorkOrder } from './move-work-order.ts'
import { findByCausation, findOpen, listWorkOrders, readWorkOrder } from './read-work-order.ts'
import type { MaintenanceOperations } from './work-order.ts'
import { selectBlockingOrder } from './work-order-sql.ts'

export { MAINTENANCE_SCENARIOS } from './scenarios.ts'
export { selectBlockedRooms } from './work-order-sql.ts'

export interface MaintenanceModule extends ServedModule<MaintenanceOperations> {
  /** Whether an order that is neither verified nor cancelled blocks the room. */
  isRoomBlocked(db: Queryable, tenantId: TenantId, roomId: RoomId): Promise<boolean>
}

/** Work orders of hotels: reported, assigned, resolved and verified. */
export function createMaintenanceModule(
  moduleHost: ModuleHost,
  siblings: Siblings,
): MaintenanceModule {
  const host = { ...moduleHost, ...siblings }
  const { db, property } = host
  const ofHotel = async <T>(
    ref: { tenantId: TenantId; propertyId: PropertyId },
    read: () => Promise<T>,
  ) => {
    await property.readHotel(ref)
    return await read()
  }
  return {
    contract: maintenanceContract,
    async isRoomBlocked(reader, tenantId, roomId) {
      const rows = await reader.query(selectBlockingOrder(idToUuid(tenantId), idToUuid(roomId)))
      return rows.length > 0
    },
    handlers: {
      listWorkOrders: (input, { tenantId }) =>
        ofHotel({ tenantId, ...input.params }, () =>
          listWorkOrders(db.scoped(tenantId), tenantId, input),
        ),
      getWorkOrder: ({ params }, { tenantId }) =>
        readWorkOrder(db.scoped(tenantId), { tenantId, ...params }),
      findOpen: (input, { tenantId }) =>
        ofHotel({ tenantId, ...input.params }, () =>
          findOpen(db.scoped(tenantId), tenantId, input),
        ),
      findByCausation: ({ params }, { tenantId }) =>
        ofHotel({ tenantId, ...params }, () =>
          findByCausation(db.scoped(tenantId), tenantId, params),
        ),
      createWorkOrder: (input, call) => createWorkOrder(host, input, call),
      assign: ({ params, body }, call) =>
        moveWorkOrder(host, { ...params, to: 'assigned', assignee: body.assignee, body }, call),
      changeStatus: ({ params, body }, call) =>
        moveWorkOrder(host, { ...params, to: body.status, body }, call),
      resolve: ({ params, body }, call) =>
        moveWorkOrder(host, { ...params, to: 'resolved', body }, call),
      verify: ({ params, body }, call) =>
        moveWorkOrder(host, { ...params, to: 'verified', body }, call),
    },
  }
}
