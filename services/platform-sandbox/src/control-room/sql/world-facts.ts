import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

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
