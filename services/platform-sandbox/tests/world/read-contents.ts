import { queryAsAdmin, type Stage } from '../start-sandbox.ts'

/**
 * A digest per table of what the world put there. Left out is what tells when it was written and
 * not what: times, transactions, and exchange rates, which are taken anew with every start.
 */
export async function readContents(stage: Stage): Promise<Record<string, string>> {
  const columns = await queryAsAdmin<{ table: string; columns: string }>(
    stage,
    `select c.table_name as table, string_agg(quote_ident(c.column_name), ', '
       order by c.ordinal_position) as columns
     from information_schema.columns c
     where c.table_schema = 'sandbox' and c.data_type not like 'timestamp%'
       and c.column_name not in ('updated_seq', 'updated_xid')
       and c.table_name <> 'pricing_fx_snapshot'
       and c.table_name ~ '^(tenant|theme|property|pricing|inventory|reservation|search)_'
     group by 1 order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { table, columns: named } of columns) {
    const [row] = await queryAsAdmin<{ rows: number; digest: string }>(
      stage,
      `select count(*)::int as rows, md5(coalesce(string_agg(t::text, E'\\n'
         order by t::text collate "C"), '')) as digest
       from (select ${named} from sandbox.${table}) t`,
    )
    if (row !== undefined && row.rows > 0) contents[table] = `${row.rows} rows, ${row.digest}`
  }
  return contents
}
