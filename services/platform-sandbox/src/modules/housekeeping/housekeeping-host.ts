import type { ModuleHost } from '../../module.ts'
import type { InventoryModule } from '../inventory/module.ts'
import type { MaintenanceModule } from '../maintenance/module.ts'
import type { PropertyModule } from '../property/module.ts'

export interface Siblings {
  readonly property: Pick<PropertyModule, 'readHotel' | 'findRoom' | 'listRooms'>
  readonly inventory: Pick<InventoryModule, 'roomStaysOn'>
  readonly maintenance: Pick<MaintenanceModule, 'isRoomBlocked'>
}

/** What the operations of housekeeping depend on. */
export type HousekeepingHost = ModuleHost & Siblings
