import type { ModuleHost } from '../../module.ts'
import type { PropertyModule } from '../property/module.ts'

export interface Siblings {
  readonly property: Pick<PropertyModule, 'readHotel' | 'findRoom'>
}

/** What the operations of a work order depend on. */
export type MaintenanceHost = ModuleHost & Siblings
