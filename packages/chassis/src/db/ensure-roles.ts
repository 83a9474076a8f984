import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg'
import { type DatabaseTlsSettings, databaseEndpoint } from './database-tls.ts'
import type { Migration } from './migrations.ts'
import { fromPgError } from './pg-errors.ts'
import { additionalRole, assertSchemaName, roleNames } from './roles.ts'

export interface EnsureRolesOptions {
  /** Without passwords the server must authenticate by other means (one machine, IAM). */
  readonly passwords?: { readonly owner: string; readonly app: string; readonly relay: string }
  /** Those to be applied: they name the further roles of the service. */
  readonly migrations?: readonly Migration[]
  readonly tls?: DatabaseTlsSettings | undefined
  readonly limits?: RoleLimits | undefined
}

/** Of the roles for requests, relay and jobs. */
export interface RoleLimits {
  readonly statementTimeoutMs: number
  readonly idleInTransactionMs: number
}

const DEFAULT_LIMITS: RoleLimits = { statementTimeoutMs: 5_000, idleInTransactionMs: 10_000 }

/** A request never blocks others: not by a statement, a lock or an idle transaction. */
function limitSettings(limits: RoleLimits): Readonly<Record<string, string>> {
  return {
    statement_timeout: `${limits.statementTimeoutMs}ms`,
    lock_timeout: '3s',
    idle_in_transaction_session_timeout: `${limits.idleInTransactionMs}ms`,
    // A caller past its deadline closes the connection: its statement ends too.
    client_connection_check_interval: '1s',
  }
}

/** Two sessions change one role: it already exists, or `tuple concurrently updated`. */
const RACES = new Set(['42710', '23505', 'XX000'])
const TRIES_MAX = 20

/**
 * Creates the login roles of a schema and their settings. Roles belong to the cluster, an
 * advisory lock only to a database; therefore concurrent runs are resolved by retrying.
 */
export async function ensureRoles(
  adminUrl: string,
  schema: string,
  options: EnsureRolesOptions = {},
): Promise<void> {
  assertSchemaName(schema)
  const client = new Client(databaseEndpoint(adminUrl, options.tls))
  try {
    await client.connect()
    for (let tries = 1; tries < TRIES_MAX; tries += 1) {
      if (await tryEnsure(client, schema, options)) return
      await sleep(5 * tries)
    }
    await ensureAll(client, schema, options)
  } catch (error) {
    throw fromPgError(error)
  } finally {
    await client.end()
  }
}

async function tryEnsure(
  client: Client,
  schema: string,
  options: EnsureRolesOptions,
): Promise<boolean> {
  try {
    await client.query('begin')
    await ensureAll(client, schema, options)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (error instanceof DatabaseError && RACES.has(error.code ?? '')) return false
    throw error
  }
}

async function ensureAll(
  client: Client,
  schema: string,
  { passwords, limits = DEFAULT_LIMITS, migrations = [] }: EnsureRolesOptions,
): Promise<void> {
  const { owner, app, relay } = roleNames(schema)
  const searchPath = { search_path: `${schema}, pg_temp` }
  await ensureRole(client, owner, { settings: searchPath, password: passwords?.owner })
  const settings = { ...searchPath, ...limitSettings(limits) }
  await ensureRole(client, app, { settings, password: passwords?.app })
  await ensureRole(client, relay, { settings, password: passwords?.relay })
  for (const name of new Set(migrations.flatMap(({ roles = [] }) => roles))) {
    await ensureRole(client, additionalRole(schema, name), { settings, password: undefined })
  }
  await letOwnerCreateSchema(client, owner)
}

interface RoleSpec {
  readonly settings: Readonly<Record<string, string>>
  readonly password: string | undefined
}

async function ensureRole(client: Client, role: string, spec: RoleSpec): Promise<void> {
  const name = escapeIdentifier(role)
  const { rows } = await client.query<{ settings: string[] | null }>(
    `select (select setconfig from pg_db_role_setting where setrole = r.oid and setdatabase = 0)
       as settings from pg_roles r where rolname = $1`,
    [role],
  )
  if (rows.length === 0) {
    await client.query(`create role ${name} login nosuperuser nocreatedb nocreaterole nobypassrls`)
  }
  if (spec.password !== undefined) {
    await client.query(`alter role ${name} password ${escapeLiteral(spec.password)}`)
  }
  const present = new Set(rows[0]?.settings)
  for (const [key, value] of Object.entries(spec.settings)) {
    if (present.has(`${key}=${value}`)) continue
    const setting = key === 'search_path' ? value : escapeLiteral(value)
    await client.query(`alter role ${name} set ${key} = ${setting}`)
  }
}

async function letOwnerCreateSchema(client: Client, owner: string): Promise<void> {
  const { rows } = await client.query<{ database: string; allowed: boolean }>(
    `select current_database() as database,
       has_database_privilege($1, current_database(), 'CREATE') as allowed`,
    [owner],
  )
  const [row] = rows
  if (row === undefined || row.allowed) return
  const database = escapeIdentifier(row.database)
  await client.query(`grant create on database ${database} to ${escapeIdentifier(owner)}`)
}
