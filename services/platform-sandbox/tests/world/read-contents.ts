import { type TestEnvironment } from '../start-sandbox.ts'

/**
 * A digest per table of the seeded data. Excluded are times, transaction ids, and exchange rates,
 * which are new with every start.
 */
export async function readContents(environment: TestEnvironment): Promise<Record<string, string>> {
  const columns = await environment.query<{
    table: string
    columns: string
  }>(`select c.table_name as table, string_agg(quote_ident(c.column_name), ', '
       order by c.ordinal_position) as columns
     from information_schema.columns c
     where c.table_schema = 'sandbox' and c.data_type not like 'timestamp%'
       and c.column_name not in ('updated_seq', 'updated_xid')
       and c.table_name <> 'pricing_fx_snapshot'
       and c.table_name ~ '^(tenant|theme|property|pricing|inventory|reservation|billing|search)_'
     group by 1 order by 1`)
  const digests = columns.map(
    ({ table, columns: named }) =>
      `select '${table}' as table, count(*)::int as rows,
         sum(hashtextextended(t::text, 0)::numeric)::text as digest
       from (select ${named} from sandbox.${table}) t`,
  )
  const rows = await environment.query<{ table: string; rows: number; digest: string }>(
    digests.join(' union all '),
  )
  const filled = rows.filter((row) => row.rows > 0)
  return Object.fromEntries(filled.map((row) => [row.table, `${row.rows} rows, ${row.digest}`]))
}
