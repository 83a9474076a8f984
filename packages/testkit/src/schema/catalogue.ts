import { assertSchemaName, fromPgError } from '@melmastoon/chassis/db'
import { Client } from 'pg'

/** The description of a schema by Postgres, read from `pg_catalog`, in a fixed order. */
export interface Catalogue {
  readonly tables: readonly CatalogueTable[]
  readonly functions: readonly CatalogueFunction[]
  readonly views: readonly CatalogueView[]
}

export interface CatalogueTable {
  readonly name: string
  readonly owner: string
  readonly isPartition: boolean
  readonly rowSecurity: boolean
  readonly forceRowSecurity: boolean
  readonly columns: readonly CatalogueColumn[]
  readonly constraints: readonly { name: string; type: string; definition: string }[]
  readonly indexes: readonly CatalogueIndex[]
  readonly policies: readonly CataloguePolicy[]
  readonly grants: readonly { role: string; privilege: string }[]
}

export interface CatalogueColumn {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly default: string | null
  /** `s` stored expression, `a` always identity, `d` identity by default, '' neither. */
  readonly generated: string
}

export interface CatalogueIndex {
  readonly name: string
  readonly unique: boolean
  /** Leading key column, null for an expression. */
  readonly leads: string | null
  readonly definition: string
}

export interface CataloguePolicy {
  readonly name: string
  readonly command: string
  readonly roles: readonly string[]
  readonly permissive: boolean
  readonly using: string | null
  readonly check: string | null
}

export interface CatalogueFunction {
  readonly name: string
  readonly securityDefiner: boolean
  readonly hasFixedSearchPath: boolean
  readonly definition: string
}

export interface CatalogueView {
  readonly name: string
  readonly securityInvoker: boolean
  readonly definition: string
}

const COLUMNS = `
  select coalesce(json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
      'default', pg_get_expr(d.adbin, d.adrelid),
      'generated', concat(a.attgenerated, a.attidentity)) order by a.attnum), '[]')
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

const CONSTRAINTS = `
  select coalesce(json_agg(json_build_object(
      'name', k.conname, 'type', k.contype, 'definition', pg_get_constraintdef(k.oid))
    order by k.conname), '[]')
  from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'`

const INDEXES = `
  select coalesce(json_agg(json_build_object(
      'name', ic.relname, 'unique', i.indisunique, 'leads', a.attname,
      'definition', pg_get_indexdef(i.indexrelid)) order by ic.relname), '[]')
  from pg_index i
  join pg_class ic on ic.oid = i.indexrelid
  left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attnum > 0
  where i.indrelid = c.oid`

const POLICIES = `
  select coalesce(json_agg(json_build_object(
      'name', p.policyname, 'command', p.cmd, 'roles', p.roles,
      'permissive', p.permissive = 'PERMISSIVE', 'using', p.qual, 'check', p.with_check)
    order by p.policyname), '[]')
  from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname`

const GRANTS = `
  select coalesce(json_agg(json_build_object(
      'role', case g.grantee when 0 then 'public' else g.grantee::regrole::text end,
      'privilege', g.privilege_type)
    order by g.grantee::regrole::text, g.privilege_type), '[]')
  from aclexplode(c.relacl) g where g.grantee <> c.relowner`

const TABLES = `
  select c.relname as name, c.relowner::regrole::text as owner, c.relispartition as "isPartition",
    c.relrowsecurity as "rowSecurity", c.relforcerowsecurity as "forceRowSecurity",
    (${COLUMNS}) as columns, (${CONSTRAINTS}) as constraints, (${INDEXES}) as indexes,
    (${POLICIES}) as policies, (${GRANTS}) as grants
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') order by c.relname`

const FUNCTIONS = `
  select p.oid::regprocedure::text as name, p.prosecdef as "securityDefiner",
    coalesce(p.proconfig::text like '%search_path=%', false) as "hasFixedSearchPath",
    pg_get_functiondef(p.oid) as definition
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = $1 and p.prokind in ('f', 'p') order by 1`

const VIEWS = `
  select c.relname as name,
    coalesce('security_invoker=true' = any (c.reloptions)
      or 'security_invoker=on' = any (c.reloptions), false) as "securityInvoker",
    pg_get_viewdef(c.oid) as definition
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('v', 'm') order by c.relname`

export function readCatalogue(url: string, schema: string): Promise<Catalogue> {
  assertSchemaName(schema)
  return withClient(url, async (client) => {
    // With an empty path every printed definition is schema-qualified, independent of the reader.
    await client.query(`set search_path = ''`)
    const tables = await client.query<CatalogueTable>(TABLES, [schema])
    const functions = await client.query<CatalogueFunction>(FUNCTIONS, [schema])
    const views = await client.query<CatalogueView>(VIEWS, [schema])
    return { tables: tables.rows, functions: functions.rows, views: views.rows }
  })
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw fromPgError(error)
  } finally {
    await client.end()
  }
}
