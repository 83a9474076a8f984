import { type Statement, sql } from '@melmastoon/chassis/db'
import type { Checks, Day, LakeDay, Published } from './lake.ts'

/** Takes the day over from an exporter that did not finish. No row when it is verified already. */
export function beginAttempt({ table, day }: LakeDay): Statement<{ attempt: number }> {
  return sql<{ attempt: number }>`
    insert into lake_export as export (table_name, day, state)
    values (${table.name}, ${day}::date, 'writing')
    on conflict (table_name, day) do update
      set attempt = export.attempt + 1, started_at = now() where export.state = 'writing'
    returning export.attempt`
}

/** Blocks a second exporter until the end of the transaction; no row when one took over. */
export function lockAttempt(
  { table, day }: LakeDay,
  attempt: number,
): Statement<{ attempt: number }> {
  return sql<{ attempt: number }>`
    select attempt from lake_export
    where table_name = ${table.name} and day = ${day}::date and attempt = ${attempt}
      and state = 'writing' for update`
}

export function markVerified({ table, day }: LakeDay, content: Published): Statement<unknown> {
  const { rows, minId, maxId, hashSum, sha256, columns } = content
  return sql`
    update lake_export set state = 'verified', verified_at = now(), row_count = ${rows},
      min_id = ${minId}, max_id = ${maxId}, hash_sum = ${hashSum}::numeric, sha256 = ${sha256},
      columns = ${columns.map(({ name, type }) => `${name}:${type}`)}::text[]
    where table_name = ${table.name} and day = ${day}::date and state = 'writing'`
}

export interface ExportRow extends Checks {
  readonly day: Day
  readonly sha256: string
  /** Each `name:type`. */
  readonly columns: readonly string[]
}

/** Verified days that are older than the rows may stay, oldest first. */
export function selectPrunable(table: string, before: Day, limit: number): Statement<ExportRow> {
  return sql<ExportRow>`
    select day, row_count as rows, min_id as "minId", max_id as "maxId",
      hash_sum::text as "hashSum", sha256, columns from lake_export
    where table_name = ${table} and state = 'verified' and day < ${before}::date
    order by day limit ${limit}`
}

export function markPruned({ table, day }: LakeDay): Statement<unknown> {
  return sql`
    update lake_export set state = 'pruned', pruned_at = now()
    where table_name = ${table.name} and day = ${day}::date and state = 'verified'`
}

/** The rows are not those that were verified: the day is exported again. */
export function reopenDay({ table, day }: LakeDay): Statement<unknown> {
  return sql`
    update lake_export set state = 'writing', verified_at = null
    where table_name = ${table.name} and day = ${day}::date and state = 'verified'`
}
