import type { ModuleHost } from '../../module.ts'
import type { PropertyModule } from '../property/module.ts'

export interface NotificationSiblings {
  readonly property: Pick<PropertyModule, 'readHotel'>
}

export type NotificationHost = Pick<ModuleHost, 'db' | 'registry'> & NotificationSiblings
