import { problem } from '@melmastoon/domain'
import { Client } from 'pg'
import { type DatabaseTlsSettings, databaseEndpoint } from './database-tls.ts'
import type { Migration } from './migrations.ts'
import { fromPgError } from './pg-errors.ts'
import { assertSchemaName, roleNames } from './roles.ts'

export interface MigrateOptions {
  /** The owner role, or an administrator who may act as it. Never behind a transaction pooler. */
  readonly url: string
  readonly schema: string
  readonly tls?: DatabaseTlsSettings | undefined
  readonly migrations: readonly Migration[]
  readonly log?: (line: string) => void
}

/** Applies missing migrations in order, each in its own transaction. Returns their versions. */
export function migrate(options: MigrateOptions): Promise<string[]> {
  assertUnique(options.migrations)
  return asOwner(options, async (client) => {
    const applied = await readApplied(client, options.schema)
    const done: string[] = []
    for (const migration of options.migrations) {
      if (applied.has(migration.version)) continue
      await applyUp(client, options.schema, migration)
      options.log?.(`applied ${migration.version}`)
      done.push(migration.version)
    }
    return done
  })
}

/** Rolls back the last `count` applied migrations of the list, newest first. */
export function rollback(options: MigrateOptions & { readonly count?: number }): Promise<string[]> {
  return asOwner(options, async (client) => {
    const applied = await readApplied(client, options.schema)
    const candidates = options.migrations.filter(({ version }) => applied.has(version)).toReversed()
    const done: string[] = []
    for (const migration of candidates.slice(0, options.count ?? 1)) {
      await applyDown(client, options.schema, migration)
      options.log?.(`rolled back ${migration.version}`)
      done.push(migration.version)
    }
    return done
  })
}

function assertUnique(migrations: readonly Migration[]): void {
  const versions = new Set(migrations.map(({ version }) => version))
  if (versions.size !== migrations.length) throw new TypeError('two migrations share a version')
}

/** The session lock serialises concurrent deployments; closing the connection releases it. */
async function asOwner<T>(
  options: MigrateOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  assertSchemaName(options.schema)
  const endpoint = databaseEndpoint(options.url, options.tls)
  const client = new Client({ ...endpoint, application_name: 'migrate' })
  try {
    await client.connect()
    await client.query(`set statement_timeout = 0; set lock_timeout = '120s'`)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [
      `melmastoon:migrate:${options.schema}`,
    ])
    await client.query(`set lock_timeout = '10s'`)
    await prepareSchema(client, options.schema)
    return await work(client)
  } catch (error) {
    throw fromPgError(error)
  } finally {
    await client.end()
  }
}

/** Objects belong to the owner role, even if another role migrates. */
async function prepareSchema(client: Client, schema: string): Promise<void> {
  const { owner } = roleNames(schema)
  // IF NOT EXISTS requires the permission to create even when the schema exists.
  const found = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (found.rowCount === 0) await client.query(`create schema ${schema} authorization ${owner}`)
  await client.query(`set role ${owner}`)
  await client.query(
    `create table if not exists ${schema}.schema_migrations (
       version text primary key, applied_at timestamptz not null default now())`,
  )
}

async function readApplied(client: Client, schema: string): Promise<Set<string>> {
  const { rows } = await client.query<{ version: string }>(
    `select version from ${schema}.schema_migrations`,
  )
  return new Set(rows.map(({ version }) => version))
}

async function applyUp(client: Client, schema: string, migration: Migration): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(migration.up)
    await client.query(`insert into ${schema}.schema_migrations (version) values ($1)`, [
      migration.version,
    ])
  })
}

async function applyDown(client: Client, schema: string, migration: Migration): Promise<void> {
  const { version, down } = migration
  if (down === undefined) {
    throw problem('MELMASTOON.GENERAL.CONFLICT', { detail: `${version} cannot be rolled back` })
  }
  await inTransaction(client, async () => {
    await client.query(down)
    await client.query(`delete from ${schema}.schema_migrations where version = $1`, [version])
  })
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
