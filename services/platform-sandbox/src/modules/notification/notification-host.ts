import { type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type { ModuleHost } from '../../module.ts'
import type { PropertyModule } from '../property/module.ts'

export interface NotificationSiblings {
  readonly property: Pick<PropertyModule, 'findProperty'>
}

export type NotificationHost = Pick<ModuleHost, 'db' | 'registry'> & NotificationSiblings

/** A property of another tenant is not found (D18). */
export async function requireProperty(
  { property }: NotificationSiblings,
  tenantId: TenantId,
  propertyId: PropertyId,
): Promise<void> {
  const found = await property.findProperty(propertyId)
  if (found?.tenantId !== tenantId) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
}
