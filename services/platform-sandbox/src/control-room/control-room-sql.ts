import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate, RatePlanId } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'

export interface SeededWorld {
  readonly seed: string
  readonly anchor_date: IsoDate
  readonly properties: number
}

/** The world that was seeded last. */
export function latestWorld(): Statement<SeededWorld> {
  return sql<SeededWorld>`
    select seed, anchor_date, properties from sandbox.world_seed
    order by anchor_date desc, seeded_at desc limit 1`
}

export interface TableSize {
  readonly name: string
  readonly rows: number
}

/**
 * From the statistics of Postgres, which include rows hidden by row-level security; no table is
 * read.
 */
export function tableSizes(): Statement<TableSize> {
  return sql<TableSize>`
    select relname as name, n_live_tup as rows from pg_stat_user_tables
    where schemaname = 'sandbox' and n_live_tup > 0 order by relname`
}

export interface EventRow {
  event_id: string
  subject: string
  /** The publication time; null while unpublished. */
  published_at: Date | null
  occurred_at: Date
  status: string
}

/** Newest first; ids grow with time. Each half reads the end of an index. */
export function recentEvents(limit: number): Statement<EventRow> {
  return sql<EventRow>`
    select * from (
      (select event_id, subject, published_at, occurred_at, status
       from sandbox.outbox order by event_id desc limit ${limit})
      union all
      (select event_id, subject, published_at, occurred_at, status
       from sandbox.outbox_published order by event_id desc limit ${limit})
    ) recent
    order by event_id desc limit ${limit}`
}

const nameOf = (ratePlanId: RatePlanId) => `prices:${ratePlanId}`

/** Only before the first change, so that the original prices are stored. */
export function saveOriginalPrices({ ratePlanId, prices }: RatePlan): Statement<unknown> {
  return sql`
    insert into sandbox.scenario_setting (name, value)
    values (${nameOf(ratePlanId)}, ${JSON.stringify(prices)}::jsonb)
    on conflict (name) do nothing`
}

export function takeOriginalPrices(
  ratePlanId: RatePlanId,
): Statement<{ value: RatePlan['prices'] }> {
  return sql<{ value: RatePlan['prices'] }>`
    delete from sandbox.scenario_setting where name = ${nameOf(ratePlanId)} returning value`
}
