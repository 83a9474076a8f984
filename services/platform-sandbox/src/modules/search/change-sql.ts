import { rawSql, sql } from '@melmastoon/chassis/db'

/** The index of every process follows the tables. */
export const CHANGES_TOPIC = 'search-changes'

/** All rows by key, or those written since a transaction; after the last row of a batch. */
export type ChangeWindow = { readonly limit: number } & (
  | { readonly afterKey: string }
  | { readonly floor: string; readonly afterSeq: number }
)

export interface ChangedRow {
  row_key: string
  updated_seq: number
}

/** The primary key of the table must be one uuid. */
export function withinWindow(window: ChangeWindow, key: 'property_id' | 'tenant_id') {
  const column = rawSql(key)
  if ('afterKey' in window) {
    return sql`where ${column} > ${window.afterKey}::uuid
      order by ${column} limit ${window.limit}::int`
  }
  const { floor, afterSeq, limit } = window
  return sql`where updated_xid >= ${floor}::xid8 and updated_seq > ${afterSeq}::bigint
    order by updated_seq limit ${limit}::int`
}

export interface HeadsRow {
  /** Every transaction below it has ended, and its changes have been read. */
  horizon: string
  now: Date
  places: boolean
  tenants: boolean
  listings: boolean
  availability: boolean
  popularity: boolean
}

/** A cheap check whether transactions from `floor` on wrote anything. */
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

/**
 * Serializes writers of one hotel, also of a hotel without a row. A writer reads the other modules
 * after all previous writers have committed, so that the last write is based on the last read.
 */
export function lockProperty(propertyUuid: string) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || ${propertyUuid}::text, 0))`
}

/** The same for many hotels, in the given order, which must be the same for all callers. */
export function lockProperties(propertyUuids: readonly string[]) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || property, 0))
    from unnest(${propertyUuids}::text[]) as requested (property)`
}
