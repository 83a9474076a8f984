import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate, RatePlanId } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'

export interface SownWorld {
  readonly seed: string
  readonly anchor_date: IsoDate
  readonly properties: number
}

/** The world that was sown last. */
export function latestWorld(): Statement<SownWorld> {
  return sql<SownWorld>`
    select seed, anchor_date, properties from sandbox.world_seed
    order by anchor_date desc, seeded_at desc limit 1`
}

export interface TableSize {
  readonly name: string
  readonly rows: number
}

/** As Postgres counts along, also behind row security; no table is read. */
export function tableSizes(): Statement<TableSize> {
  return sql<TableSize>`
    select relname as name, n_live_tup as rows from pg_stat_user_tables
    where schemaname = 'sandbox' and n_live_tup > 0 order by relname`
}

export interface EventRow {
  event_id: string
  subject: string
  /** As it was published; without it, it waits. */
  published_at: Date | null
  occurred_at: Date
  status: string
}

/** The newest first; ids grow with time. Each half reads the end of an index. */
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

/** Only before the first move: what came later is not what they were. */
export function keepPrices({ ratePlanId, prices }: RatePlan): Statement<unknown> {
  return sql`
    insert into sandbox.scenario_setting (name, value)
    values (${nameOf(ratePlanId)}, ${JSON.stringify(prices)}::jsonb)
    on conflict (name) do nothing`
}

export function takeKeptPrices(ratePlanId: RatePlanId): Statement<{ value: RatePlan['prices'] }> {
  return sql<{ value: RatePlan['prices'] }>`
    delete from sandbox.scenario_setting where name = ${nameOf(ratePlanId)} returning value`
}
