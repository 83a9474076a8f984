import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, problem, type TenantId, uuidToId } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import { findProperty } from './rate-card-sql.ts'
import { type RatePlanRow, readRatePlans } from './rate-plan-sql.ts'

export async function listRatePlans(
  db: Database,
  tenantId: TenantId,
  propertyId: PropertyId,
): Promise<{ ratePlans: RatePlan[] }> {
  const [tenant, property] = [idToUuid(tenantId), idToUuid(propertyId)]
  const rows = await db.query(readRatePlans(tenant, property))
  if (rows.length === 0) {
    const [known] = await db.query(findProperty(tenant, property))
    if (known === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  }
  return { ratePlans: rows.map(toRatePlan) }
}

export function toRatePlan(row: RatePlanRow): RatePlan {
  const { code, name, category, currency, status, version, terms } = row
  const { restrictions } = terms
  return {
    ratePlanId: uuidToId('rate', row.rate_plan_id),
    tenantId: uuidToId('tnt', row.tenant_id),
    propertyId: uuidToId('ppt', row.property_id),
    code,
    name,
    category,
    currency,
    status,
    version,
    restrictions: {
      ...restrictions,
      closedToArrival: [...restrictions.closedToArrival],
      closedToDeparture: [...restrictions.closedToDeparture],
    },
    prices: Object.entries(row.rates)
      .map(([roomType, amountMicro]) => ({
        roomTypeId: uuidToId('rmt', roomType),
        nightly: { amountMicro, currency },
      }))
      .toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1)),
  }
}
