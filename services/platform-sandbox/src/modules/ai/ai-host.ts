import type { ModuleHost } from '../../module.ts'
import type { InventoryModule } from '../inventory/module.ts'
import type { PropertyModule } from '../property/module.ts'

export interface AiSiblings {
  readonly property: Pick<PropertyModule, 'readHotel'>
  readonly inventory: { readonly handlers: Pick<InventoryModule['handlers'], 'availability'> }
}

/** What the operations of this module depend on. */
export type AiHost = Pick<ModuleHost, 'db' | 'relayDb' | 'registry' | 'config'> & AiSiblings
