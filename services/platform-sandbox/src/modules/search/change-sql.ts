import { sql } from '@melmastoon/chassis/db'

/** What was written from a transaction on, some rows at a time. */
export interface ChangeWindow {
  readonly floor: string
  /** The last change of the rows before. */
  readonly afterSeq: number
  readonly limit: number
}

export function withinWindow({ floor, afterSeq, limit }: ChangeWindow) {
  return sql`where updated_xid >= ${floor}::xid8 and updated_seq > ${afterSeq}::bigint
    order by updated_seq limit ${limit}::int`
}

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

/**
 * Writers about one hotel wait for each other here, also about a hotel that has no row yet. Whoever
 * is let in reads the other modules after everybody before him has written, so that what is written
 * last was also read last.
 */
export function lockProperty(propertyUuid: string) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || ${propertyUuid}::text, 0))`
}

/** The same of many, in the order given: it must be the same for all who lock many. */
export function lockProperties(propertyUuids: readonly string[]) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || property, 0))
    from unnest(${propertyUuids}::text[]) as asked (property)`
}
