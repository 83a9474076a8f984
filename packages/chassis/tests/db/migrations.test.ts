import {
  ensureRoles,
  migrate,
  readMigrations,
  rollback,
  sharedMigrations,
  sql,
} from '@melmastoon/chassis/db'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'
import { compareTables, dumpSchema, readCatalogue } from '@melmastoon/testkit/schema'
import { describe, expect, it } from 'vitest'
import { asAdmin, failureOf, noteMigrations, notesDatabase, open, SCHEMA } from './fixture.ts'

const versions = [
  '0001_shared',
  '0002_idempotency_isolation',
  '0003_idempotency_key_order',
  '0004_outbox_lookup',
  '0005_outbox_contract',
  '0100_notes',
]

function emptyDatabase() {
  return testDatabase({
    schema: SCHEMA,
    templateKey: 'roles only',
    prepare: (adminUrl) => ensureRoles(adminUrl, SCHEMA),
  })
}

describe('migrate', () => {
  it('applies each version once, in repeated and concurrent runs', async () => {
    await using database = await emptyDatabase()
    const options = { url: database.adminUrl, schema: SCHEMA, migrations: await noteMigrations() }
    const results = await Promise.all([migrate(options), migrate(options), migrate(options)])
    expect(results.flat().toSorted()).toEqual(versions)
    expect(await migrate(options)).toEqual([])
  })

  it('runs as the owner, if the owner may create the schema', async () => {
    await using database = await emptyDatabase()
    await ensureRoles(database.adminUrl, SCHEMA)
    const migrations = await noteMigrations()
    expect(await migrate({ url: database.ownerUrl, schema: SCHEMA, migrations })).toEqual(versions)
  })

  it('has idempotent files', async () => {
    await using database = await notesDatabase()
    const before = await dumpSchema(database.adminUrl, SCHEMA)
    await asAdmin(database.adminUrl, async (client) => {
      await client.query(`set role ${SCHEMA}_owner`)
      for (const { up } of await noteMigrations()) await client.query(up)
    })
    expect(await dumpSchema(database.adminUrl, SCHEMA)).toBe(before)
  })

  it('rolls back the last one, then all, and applies them again with the same result', async () => {
    await using database = await notesDatabase()
    const options = { url: database.adminUrl, schema: SCHEMA, migrations: await noteMigrations() }
    const before = await dumpSchema(database.adminUrl, SCHEMA)
    expect(await rollback(options)).toEqual(['0100_notes'])
    expect(await rollback({ ...options, count: 9 })).toEqual(versions.slice(0, -1).toReversed())
    expect(await dumpSchema(database.adminUrl, SCHEMA)).not.toContain('table outbox')
    expect(await migrate(options)).toEqual(versions)
    expect(await dumpSchema(database.adminUrl, SCHEMA)).toBe(before)
  })

  it('leaves no trace of a file that fails', async () => {
    await using database = await notesDatabase()
    const up = `create table ${SCHEMA}.half (n int); select 1 / 0;`
    const migrations = [{ version: '0900_half', up }]
    const failing = migrate({ url: database.adminUrl, schema: SCHEMA, migrations })
    expect(await failureOf(failing)).toBe('MELMASTOON.GENERAL.INTERNAL')
    expect(await dumpSchema(database.adminUrl, SCHEMA)).not.toContain('half')
  })

  it('rejects two files of one version, and the rollback of a file without a down migration', async () => {
    await using database = await notesDatabase()
    const url = database.adminUrl
    const one = { version: '0900_one', up: 'select 1' }
    expect(() => migrate({ url, schema: SCHEMA, migrations: [one, one] })).toThrow(TypeError)
    await migrate({ url, schema: SCHEMA, migrations: [one] })
    const back = rollback({ url, schema: SCHEMA, migrations: [one] })
    expect(await failureOf(back)).toBe('MELMASTOON.GENERAL.CONFLICT')
  })

  it('rejects a schema name that requires quoting', async () => {
    const directory = new URL('../../migrations/', import.meta.url)
    const reading = readMigrations(directory, { schema: 'x; drop schema public' })
    expect(await failureOf(reading)).toBe('TypeError')
  })

  it('has a down migration for every shared file', async () => {
    const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
    expect(shared.every(({ down }) => down !== undefined)).toBe(true)
    const open = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: false })
    expect(open.map(({ version }) => version)).toEqual([
      '0001_shared',
      '0003_idempotency_key_order',
      '0004_outbox_lookup',
      '0005_outbox_contract',
    ])
  })
})

describe('ensureRoles', () => {
  it('has the same result for five concurrent runs as for one', async () => {
    await using database = await emptyDatabase()
    const schema = `roles_${database.name.slice(5, 20)}`
    await Promise.all(Array.from({ length: 5 }, () => ensureRoles(database.adminUrl, schema)))
    const roles = await asAdmin(database.adminUrl, async (client) => {
      const found = await client.query(
        `select rolname, rolcanlogin and not (rolsuper or rolbypassrls or rolcreaterole) as plain
         from pg_roles where rolname like $1 order by rolname`,
        [`${schema}%`],
      )
      await client.query(`drop owned by ${schema}_owner`)
      for (const { rolname } of found.rows) await client.query(`drop role ${rolname}`)
      return found.rows
    })
    expect(roles).toEqual(
      ['app', 'owner', 'relay'].map((name) => ({ rolname: `${schema}_${name}`, plain: true })),
    )
  })

  it('limits statements, locks and idle transactions of the app and the relay', async () => {
    await using database = await notesDatabase()
    for (const url of [database.appUrl, database.relayUrl]) {
      await using db = open(url)
      const [row] = await db.query(
        sql`select current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`,
      )
      expect(row).toEqual({ statement: '5s', lock: '3s', idle: '10s' })
    }
  })
})

async function sharedDatabase(): Promise<TestDatabase> {
  const migrations = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
  return testDatabase({ schema: SCHEMA, migrations })
}

describe('compareTables', () => {
  it('finds no difference between the shared tables and those of a service', async () => {
    await using service = await notesDatabase()
    await using reference = await sharedDatabase()
    const shared = await readCatalogue(reference.adminUrl, SCHEMA)
    expect(shared.tables.map(({ name }) => name)).toContain('outbox')
    expect(compareTables(shared, await readCatalogue(service.adminUrl, SCHEMA))).toEqual([])
  })

  it('finds differences in columns, defaults, indexes, policies and grants', async () => {
    await using changed = await notesDatabase()
    await using reference = await sharedDatabase()
    const shared = await readCatalogue(reference.adminUrl, SCHEMA)
    await asAdmin(changed.adminUrl, (client) =>
      client.query(
        `create index ix_new on ${SCHEMA}.inbox (subject);
         alter table ${SCHEMA}.inbox alter column attempts set default 1;
         alter table ${SCHEMA}.inbox add column extra boolean;
         alter table ${SCHEMA}.idempotency no force row level security;
         grant delete on ${SCHEMA}.job_run to ${SCHEMA}_app;
         drop table ${SCHEMA}.outbox_lease`,
      ),
    )
    const findings = compareTables(shared, await readCatalogue(changed.adminUrl, SCHEMA))
    expect(findings).toEqual([
      'idempotency: - owner chassis_db_owner; row security on, forced',
      'idempotency: + owner chassis_db_owner; row security on',
      'inbox: - column attempts integer not null default 0',
      'inbox: + column attempts integer not null default 1',
      'inbox: + column extra boolean',
      'inbox: + CREATE INDEX ix_new ON chassis_db.inbox USING btree (subject)',
      'job_run: - grant chassis_db_app: SELECT',
      'job_run: + grant chassis_db_app: DELETE, SELECT',
      'outbox_lease: missing',
    ])
  })
})

describe('dumpSchema', () => {
  it('is the same for the same schema and any reader, and shows a change', async () => {
    await using one = await notesDatabase()
    await using two = await notesDatabase()
    const dump = await dumpSchema(one.appUrl, SCHEMA)
    expect(await dumpSchema(two.adminUrl, SCHEMA)).toBe(dump)
    expect(dump).toContain('  owner chassis_db_owner; row security on, forced')
    expect(dump).toContain('  grant chassis_db_app: INSERT\n')
    const change = `alter table ${SCHEMA}.notes no force row level security`
    await asAdmin(two.adminUrl, (client) => client.query(change))
    expect(await dumpSchema(two.adminUrl, SCHEMA)).not.toBe(dump)
  })
})
