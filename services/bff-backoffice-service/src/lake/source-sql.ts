import {
  type Database,
  identifier,
  rawSql,
  type SqlFragment,
  type Statement,
  sql,
} from '@melmastoon/chassis/db'
import type { Checks, Day, LakeDay, LakeTable } from './lake.ts'
import { hashOf, lineOf } from './row-text.ts'

/** No role but the owner has access to a partition: rows are read through the table. */
function ofDay({ table, day }: LakeDay): SqlFragment {
  if (table.timeColumn === null) {
    return sql`id >= activity_id_floor(${day}::date) and id < activity_id_floor(${day}::date + 1)`
  }
  const time = identifier(table.timeColumn)
  return sql`${time} >= (${day}::date)::timestamp at time zone 'UTC'
    and ${time} < (${day}::date + 1)::timestamp at time zone 'UTC'`
}

/** As the first statement: all pages come from one snapshot. */
export const readOneSnapshot = (): Statement<unknown> =>
  sql`set transaction isolation level repeatable read`

/**
 * In a transaction. A page of a peak day may take longer than the 5 s of the role, but not as long
 * as the client waits for a server.
 */
export const allowLongStatements = (): Statement<unknown> => sql`set local statement_timeout = '9s'`

/** One statement with that time. */
export function queryLong<R>(
  db: Pick<Database, 'transaction'>,
  statement: Statement<R>,
): Promise<R[]> {
  return db.transaction(async (tx) => {
    await tx.query(allowLongStatements())
    return await tx.query(statement)
  })
}

export interface Page extends Checks {
  /** Lines of CSV, each with its end. */
  readonly lines: string | null
}

/** The rows after an id as one text: thousands of rows cost this process one value. */
export function selectPage(
  { table, day }: LakeDay,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Statement<Page> {
  const line = rawSql(lineOf('postgres', table.columns))
  const rest = after === null ? rawSql('') : sql`and id > ${after}::uuid`
  return sql<Page>`
    select count(*)::int as rows, min(id collate "C") as "minId", max(id collate "C") as "maxId",
      coalesce(sum(${rawSql(hashOf('postgres', 'line'))}), 0)::text as "hashSum",
      string_agg(line, E'\\n') || E'\\n' as lines
    from (select id::text as id, ${line} as line from ${identifier(table.name)}
      where ${ofDay({ table, day })} ${rest} order by ${identifier(table.name)}.id limit ${limit})
      as page`
}

export function deleteDay(day: LakeDay): Statement<{ deleted: number }> {
  return sql<{ deleted: number }>`
    with gone as (delete from ${identifier(day.table.name)} where ${ofDay(day)} returning 1)
    select count(*)::int as deleted from gone`
}

/**
 * Transactions that have written to the table, or to the partition of the day, and are still open.
 * A row of theirs may appear in a day that is over.
 */
export function selectWriters({ table, day }: LakeDay): Statement<{ writer: string }> {
  const part = `${table.name}_${day.replaceAll('-', '')}`
  const name = table.timeColumn === null ? part : table.name
  return sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = to_regclass(${name})
      and database = (select oid from pg_database where datname = current_database())`
}

export function countUnsettled(
  day: LakeDay,
  outcomes: readonly string[],
): Statement<{ rows: number }> {
  return sql<{ rows: number }>`
    select count(*)::int as rows from ${identifier(day.table.name)}
    where ${ofDay(day)} and outcome = any (${[...outcomes]}::text[])`
}

/** Days until `until` that are not in the lake, oldest first. */
export function selectDueDays(
  table: LakeTable,
  until: Day,
  limit: number,
): Statement<{ day: Day }> {
  const days = table.timeColumn === null ? partitionDays(table) : rowDays(table)
  return sql<{ day: Day }>`
    select day from (${days}) as days
    where day <= ${until}::date and not exists (select from lake_export done
      where done.table_name = ${table.name} and done.day = days.day and done.state <> 'writing')
    order by day limit ${limit}`
}

function partitionDays({ name }: LakeTable): SqlFragment {
  return sql`select to_date(right(part.relname, 8), 'YYYYMMDD') as day
    from pg_inherits join pg_class part on part.oid = inhrelid
    where inhparent = to_regclass(${name})`
}

/**
 * Days without rows are not exported. The index has the first row of a day and the first one after
 * it: one step per day, whatever the number of rows.
 */
function rowDays({ name, timeColumn }: LakeTable): SqlFragment {
  const time = identifier(timeColumn ?? '')
  const table = identifier(name)
  return sql`with recursive found (day) as (
      select (min(${time}) at time zone 'UTC')::date from ${table}
      union all
      select (select (min(${time}) at time zone 'UTC')::date from ${table}
        where ${time} >= (found.day + 1)::timestamp at time zone 'UTC')
      from found where found.day is not null)
    select day from found where day is not null`
}

export const detachPartition = (day: Day): Statement<{ exists: boolean }> =>
  sql<{ exists: boolean }>`select detach_activity_partition(${day}::date) as exists`

export const dropDetached = (day: Day): Statement<{ dropped: boolean }> =>
  sql<{ dropped: boolean }>`select drop_detached_activity(${day}::date) as dropped`

export const attachPartition = (day: Day): Statement<unknown> =>
  sql`select attach_activity_partition(${day}::date)`
