import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

/** The current date at the hotels of the demo world, by the database clock. */
export function selectToday(): Statement<{ today: IsoDate }> {
  return sql<{ today: IsoDate }>`select (now() at time zone 'Asia/Kabul')::date as today`
}

export function selectSeeds(): Statement<{ seed: string }> {
  return sql<{ seed: string }>`select distinct seed from sandbox.world_seed order by seed`
}

export interface SeedRun {
  readonly seed: string
  readonly worldVersion: number
  readonly properties: number
  readonly stayDays: number
  readonly anchorDate: IsoDate
}

export interface SeededRow {
  readonly module: string
  readonly latest: IsoDate
}

/** For every module the latest day, up to this one, for which it is fully seeded. */
export function selectSeeded(run: SeedRun): Statement<SeededRow> {
  return sql<SeededRow>`
    select module, max(anchor_date) as latest from sandbox.world_seed
    where seed = ${run.seed} and world_version = ${run.worldVersion}
      and properties = ${run.properties} and stay_days = ${run.stayDays}
      and anchor_date <= ${run.anchorDate}::date
    group by module`
}

export function insertSeeded(run: SeedRun, module: string, digest: string): Statement<unknown> {
  return sql`
    insert into sandbox.world_seed
      (seed, world_version, properties, stay_days, anchor_date, module, digest)
    values (${run.seed}, ${run.worldVersion}, ${run.properties}, ${run.stayDays},
      ${run.anchorDate}::date, ${module}, ${digest})
    on conflict do nothing`
}
