import type { PropertySummary } from '@melmastoon/upstream-contracts/property'
import { tenantCall } from '../operator-call.ts'
import type { SectionContext } from './section.ts'

const HOTELS_MAX = 20

/** The hotel of the view, or the first of its tenant; null while no tenant is chosen. */
export async function findChosenHotel({
  room,
  view,
  operator,
}: SectionContext): Promise<PropertySummary | null> {
  if (view.tenant === null) return null
  const { properties } = await room.modules.property.handlers.listByTenant(
    { query: { limit: HOTELS_MAX } },
    tenantCall(operator, view.tenant),
  )
  const chosen = properties.find(({ propertyId }) => propertyId === view.property)
  return chosen ?? properties[0] ?? null
}
