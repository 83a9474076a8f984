import { sql } from '@melmastoon/chassis/db'

/** A new version of every listing of a tenant, for those who keep copies. */
export function touchListings(tenantUuid: string) {
  return sql<{ property_id: string; version: number; indexed_at: Date }>`
    update sandbox.search_listing set version = version + 1, indexed_at = now()
    where tenant_id = ${tenantUuid}::uuid
    returning property_id, version, indexed_at`
}
