import { idToUuid, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import { type PropertyOperations, toSummary } from './house.ts'
import { selectHouses, selectHousesOfTenant } from './property-sql.ts'
import type { PropertyReader } from './read-property.ts'

const PAGE = 20

/** In the requested order, without unknown ones and duplicates. */
export async function summarizeProperties(
  { db, publicUrl }: PropertyReader,
  propertyIds: readonly PropertyId[],
): Promise<OutputOf<PropertyOperations['summaries']>> {
  const uuids = [...new Set(propertyIds)].map(idToUuid)
  const rows = await db.query(selectHouses(uuids))
  const byId = new Map(rows.map((row) => [row.property_id, row]))
  const found = uuids.map((uuid) => byId.get(uuid)).filter((row) => row !== undefined)
  return { properties: found.map((row) => toSummary(row, publicUrl)) }
}

export interface PropertyPage {
  readonly tenantId: TenantId
  readonly cursor?: PropertyId
  readonly limit?: number
}

/** One additional row shows whether there is a next page. */
export async function listProperties(
  { db, publicUrl }: PropertyReader,
  { tenantId, cursor, limit = PAGE }: PropertyPage,
): Promise<OutputOf<PropertyOperations['listByTenant']>> {
  const tenant = idToUuid(tenantId)
  const after = cursor === undefined ? null : idToUuid(cursor)
  const rows = await db.query(selectHousesOfTenant({ tenant, after, rows: limit + 1 }))
  const properties = rows.slice(0, limit).map((row) => toSummary(row, publicUrl))
  const last = rows.length > limit ? properties.at(-1) : undefined
  return { properties, ...(last && { nextCursor: last.propertyId }) }
}
