import { roleNames } from '@melmastoon/chassis/db'
import { type Catalogue, type CatalogueTable, readCatalogue, withClient } from './catalogue.ts'

export interface TenancyOptions {
  /** Tables whose tenant_id is informational, because no request reads them by tenant. */
  readonly serviceScoped?: readonly string[]
  /** Primary keys on a random id alone, which reveals nothing about other tenants (D28). */
  readonly randomKeys?: readonly string[]
  /** The policies of tables where the data model names them (D28). */
  readonly policies?: Readonly<Record<string, string>>
  /** Further roles that may insert for all tenants, and do nothing else. */
  readonly appenders?: readonly string[]
}

export interface TenancyFinding {
  readonly rule: 'RLS-01' | 'RLS-02' | 'RLS-03'
  readonly object: string
  readonly finding: string
}

const ROUTED = ['outbox', 'outbox_published', 'outbox_archive']

/**
 * Properties of a schema that could expose the rows of one tenant to another, from the catalogue:
 * row security (RLS-01), roles, functions and views (RLS-02), unique indexes (RLS-03). The tests of
 * every service expect an empty list.
 */
export async function tenancyFindings(
  url: string,
  schema: string,
  options: TenancyOptions = {},
): Promise<TenancyFinding[]> {
  const exempt = new Set([...ROUTED, ...(options.serviceScoped ?? [])])
  const catalogue = await readCatalogue(url, schema)
  const randomKeys = new Set(options.randomKeys)
  const tenantTables = catalogue.tables.filter(
    (table) => !exempt.has(table.name) && table.columns.some(({ name }) => name === 'tenant_id'),
  )
  return [
    ...tenantTables.flatMap((table) =>
      table.isPartition ? checkPartition(table) : checkRowSecurity(table, options),
    ),
    ...(await checkRoles(url, schema)),
    ...checkOwnership(catalogue, schema),
    ...checkCode(catalogue),
    ...tenantTables
      .filter(({ isPartition }) => !isPartition)
      .flatMap((table) => checkUniqueIndexes(table, randomKeys)),
  ]
}

/** The tables of a schema that require row security. */
export async function tenantTablesOf(
  url: string,
  schema: string,
  options: TenancyOptions = {},
): Promise<string[]> {
  const exempt = new Set([...ROUTED, ...(options.serviceScoped ?? [])])
  const { tables } = await readCatalogue(url, schema)
  return tables
    .filter(({ isPartition }) => !isPartition)
    .filter((table) => table.columns.some(({ name }) => name === 'tenant_id'))
    .map(({ name }) => name)
    .filter((name) => !exempt.has(name))
}

/** It is accessible through its table only: a grant would show the rows of all tenants. */
function checkPartition(table: CatalogueTable): TenancyFinding[] {
  const { rowSecurity, forceRowSecurity, grants, policies } = table
  const found: string[] = []
  if (!rowSecurity || !forceRowSecurity) found.push('row security of a partition is not forced')
  if (grants.length > 0 || policies.length > 0) found.push('a partition is accessible directly')
  return found.map((finding) => ({ rule: 'RLS-01', object: table.name, finding }))
}

function checkRowSecurity(
  table: CatalogueTable,
  { policies = {}, appenders = [] }: TenancyOptions,
): TenancyFinding[] {
  const found: string[] = []
  if (!table.rowSecurity) found.push('row security is not enabled')
  if (!table.forceRowSecurity) found.push('row security is not forced on the owner')
  const usual = `${table.name}_tenant_isolation`
  const wanted = [policies[table.name] ?? usual, usual]
  const isolation = table.policies.find(({ name }) => wanted.includes(name))
  if (isolation === undefined) found.push(`has no policy ${wanted[0]}`)
  else found.push(...checkIsolation(isolation))
  for (const policy of table.policies) {
    const isAppend =
      policy.command === 'INSERT' && policy.roles.every((role) => appenders.includes(role))
    if (policy !== isolation && !isAppend && policy.permissive && isOpenToApp(policy.roles)) {
      found.push(`policy ${policy.name} opens the table to more than the relay`)
    }
  }
  return found.map((finding) => ({ rule: 'RLS-01', object: table.name, finding }))
}

function checkIsolation(policy: CatalogueTable['policies'][number]): string[] {
  const found: string[] = []
  if (policy.command !== 'ALL') found.push(`${policy.name} covers ${policy.command} only`)
  if (!policy.using?.includes('current_tenant()')) found.push(`${policy.name} has no such USING`)
  if (!policy.check?.includes('current_tenant()')) found.push(`${policy.name} has no WITH CHECK`)
  return found
}

function isOpenToApp(roles: readonly string[]): boolean {
  return roles.some((role) => !role.endsWith('_relay'))
}

async function checkRoles(url: string, schema: string): Promise<TenancyFinding[]> {
  const { owner, app, relay } = roleNames(schema)
  const rows = await withClient(url, async (client) => {
    const result = await client.query<{ role: string; finding: string }>(
      `select rolname as role, case
          when rolsuper then 'is a superuser'
          when rolbypassrls then 'bypasses row security'
          when rolcreaterole then 'may create roles'
          else 'acts as the owner' end as finding
        from pg_roles
        where rolname = any ($1) and (rolsuper or rolbypassrls or rolcreaterole
          or (rolname <> $2 and pg_has_role(rolname, $2, 'member')))`,
      [[owner, app, relay], owner],
    )
    return result.rows
  })
  return rows.map(({ role, finding }) => ({ rule: 'RLS-02', object: role, finding }))
}

function checkOwnership(catalogue: Catalogue, schema: string): TenancyFinding[] {
  const { owner } = roleNames(schema)
  return catalogue.tables
    .filter((table) => table.owner !== owner)
    .map((table) => ({ rule: 'RLS-02', object: table.name, finding: `is owned by ${table.owner}` }))
}

function checkCode(catalogue: Catalogue): TenancyFinding[] {
  const functions = catalogue.functions.filter(
    (each) => each.securityDefiner && !each.hasFixedSearchPath,
  )
  const views = catalogue.views.filter((each) => !each.securityInvoker)
  return [
    ...functions.map(({ name }) => finding02(name, 'is SECURITY DEFINER without a search_path')),
    ...views.map(({ name }) => finding02(name, 'is a view without security_invoker')),
  ]
}

function finding02(object: string, finding: string): TenancyFinding {
  return { rule: 'RLS-02', object, finding }
}

/** A unique index over all tenants reveals that another tenant has the same key. */
function checkUniqueIndexes(
  table: CatalogueTable,
  randomKeys: ReadonlySet<string>,
): TenancyFinding[] {
  return table.indexes
    .filter(({ unique, leads, name }) => unique && leads !== 'tenant_id' && !randomKeys.has(name))
    .map(({ name }) => ({
      rule: 'RLS-03',
      object: `${table.name}.${name}`,
      finding: 'is unique without leading tenant_id',
    }))
}
