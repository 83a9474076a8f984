import { sql } from '@melmastoon/chassis/db'

export interface HeadsRow {
  /** Every transaction below it is over: what it wrote has been seen. */
  horizon: string
  now: Date
  places: boolean
  tenants: boolean
  listings: boolean
  availability: boolean
  popularity: boolean
}

/** One cheap look at whether anything was written by transactions from `floor` on. */
export function readHeads(floor: string) {
  return sql<HeadsRow>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, now() as now,
      exists (select from sandbox.search_place where updated_xid >= ${floor}::xid8) as places,
      exists (select from sandbox.search_tenant where updated_xid >= ${floor}::xid8) as tenants,
      exists (select from sandbox.search_listing where updated_xid >= ${floor}::xid8) as listings,
      exists (select from sandbox.search_availability where updated_xid >= ${floor}::xid8)
        as availability,
      exists (select from sandbox.search_popularity where updated_xid >= ${floor}::xid8)
        as popularity`
}
