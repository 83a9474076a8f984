import type { Queryable } from '@melmastoon/chassis/db'
import type { RoomId, TenantId } from '@melmastoon/domain'
import { housekeepingContract } from '@melmastoon/upstream-contracts/housekeeping'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { setRoomCondition, setRoomFlags } from './change-room.ts'
import { createTask } from './create-task.ts'
import type { Siblings } from './housekeeping-host.ts'
import { moveTask } from './move-task.ts'
import { listRooms, readRoom, roomsNotReady } from './read-rooms.ts'
import { listTasks, readTask } from './read-tasks.ts'
import { roomHandlers } from './room-handlers.ts'
import type { HousekeepingOperations } from './task.ts'

export { HOUSEKEEPING_SCENARIOS } from './scenarios.ts'

export interface HousekeepingModule extends ServedModule<HousekeepingOperations> {
  /**
   * Of these rooms those that no guest can move into now: dirty, occupied, out of order or out of
   * service. `db` is a transaction or the database in the scope of the tenant.
   */
  roomsNotReady(
    db: Queryable,
    tenantId: TenantId,
    roomIds: readonly RoomId[],
  ): Promise<readonly RoomId[]>
}

/** The condition and occupancy of rooms, and the tasks of those who clean them. */
export function createHousekeepingModule(
  moduleHost: ModuleHost,
  siblings: Siblings,
): HousekeepingModule {
  const host = { ...moduleHost, ...siblings }
  const { db } = host
  return {
    contract: housekeepingContract,
    roomsNotReady,
    subscriptions: roomHandlers(host),
    handlers: {
      listRooms: ({ params }, { tenantId }) => listRooms(host, { tenantId, ...params }),
      getRoom: ({ params }, { tenantId }) => readRoom(host, { tenantId, ...params }),
      setRoomCondition: (input, call) => setRoomCondition(host, input, call),
      setRoomFlags: (input, call) => setRoomFlags(host, input, call),
      listTasks: async (input, { tenantId }) => {
        await host.property.readHotel({ tenantId, ...input.params })
        return await listTasks(db.scoped(tenantId), tenantId, input)
      },
      getTask: ({ params }, { tenantId }) => readTask(db.scoped(tenantId), { tenantId, ...params }),
      createTask: (input, call) => createTask(host, input, call),
      startTask: (input, call) => moveTask(host, { to: 'in_progress', ...input }, call),
      completeTask: (input, call) => moveTask(host, { to: 'completed', ...input }, call),
      inspectTask: (input, call) => moveTask(host, { to: 'inspected', ...input }, call),
    },
  }
}
