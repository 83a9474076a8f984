import { readdir, readFile } from 'node:fs/promises'
import { additionalRole, assertSchemaName, roleNames } from './roles.ts'

export interface Migration {
  /** The name of its file, such as `0001_init`; `schema_migrations` records it. */
  readonly version: string
  readonly up: string
  readonly down?: string
  /** Further roles that must exist before it runs, from `:role(<name>)`. */
  readonly roles?: readonly string[]
}

/** Files named `0006_seed_dev_…` contain development data and run only on request (D28). */
export function isDevelopmentData({ version }: Migration): boolean {
  return /^\d{4}_seed_dev_/.test(version)
}

const MIGRATION_FILE = /^(\d{4}_[a-z0-9_]+)(\.down)?\.sql$/

/** Files `0001_name.sql`, some with a `0001_name.down.sql`, in the order of their names. */
export async function readMigrations(
  directory: URL,
  options: { readonly schema: string },
): Promise<Migration[]> {
  const texts = new Map<string, string>()
  const roles = new Map<string, string[]>()
  for (const file of (await readdir(directory)).toSorted()) {
    if (!file.endsWith('.sql')) continue
    const match = MIGRATION_FILE.exec(file)
    if (match === null) throw new TypeError(`${file} is not named like 0001_name(.down).sql`)
    const text = await readFile(new URL(file, folder(directory)), 'utf8')
    const name = `${match[1]}${match[2] ?? ''}`
    texts.set(name, fillPlaceholders(text, options.schema))
    roles.set(name, additionalRolesOf(text))
  }
  return [...texts]
    .filter(([name]) => !name.endsWith('.down'))
    .map(([version, up]) => {
      const down = texts.get(`${version}.down`)
      const named = roles.get(version) ?? []
      return {
        version,
        up,
        ...(down !== undefined && { down }),
        ...(named.length > 0 && { roles: named }),
      }
    })
}

function folder(directory: URL): URL {
  return directory.href.endsWith('/') ? directory : new URL(`${directory.href}/`)
}

const ROLE = /(?<!:):role\(([a-z]{1,16})\)/g

function additionalRolesOf(text: string): string[] {
  return [...new Set([...text.matchAll(ROLE)].map(([, name = '']) => name))]
}

/**
 * `:schema`, `:owner`, `:app`, `:relay`, `:role(<name>)` for a further role, and
 * `:isolate_by_tenant(<table>);`, with the name of the policy as a second argument where the data
 * model gives one (D28). A cast such as `::text` is not a placeholder.
 */
export function fillPlaceholders(text: string, schema: string): string {
  assertSchemaName(schema)
  const names: Readonly<Record<string, string>> = { schema, ...roleNames(schema) }
  const isolated = text.replace(
    /(?<!:):isolate_by_tenant\((\w+)(?:, (\w+))?\);/g,
    (_, table: string, policy?: string) => isolationOf(table, policy),
  )
  const withRoles = isolated.replace(ROLE, (_, name: string) => additionalRole(schema, name))
  return withRoles.replace(/(?<!:):(schema|owner|app|relay)\b/g, (whole, name: string) => {
    return names[name] ?? whole
  })
}

/** A request sees and writes the rows of its tenant only; the owner of the table as well. */
function isolationOf(table: string, policy = `${table}_tenant_isolation`): string {
  return `alter table :schema.${table} enable row level security;
alter table :schema.${table} force row level security;
drop policy if exists ${policy} on :schema.${table};
create policy ${policy} on :schema.${table} to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));`
}

export interface SharedMigrationOptions {
  readonly schema: string
  /** Row-level security on `idempotency`, for services whose rows always have a tenant. */
  readonly idempotencyIsolation: boolean
}

/**
 * The tables of every service, which come before the service's own. Each migration is recorded by
 * its whole name, so a service may number its files from 0001 as well.
 */
export async function sharedMigrations(options: SharedMigrationOptions): Promise<Migration[]> {
  const all = await readMigrations(new URL('../../migrations/', import.meta.url), options)
  return all.filter(
    ({ version }) => options.idempotencyIsolation || version !== '0002_idempotency_isolation',
  )
}
