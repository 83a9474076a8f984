import { createHash, randomUUID } from 'node:crypto'
import { ensureRoles, type Migration, migrate } from '@melmastoon/chassis/db'
import { Client } from 'pg'
import { testInfra } from './infra.ts'

export interface MigratedDatabase {
  /** Roles are named after it: `<schema>_owner`, `<schema>_app`, `<schema>_relay`. */
  readonly schema: string
  readonly migrations: readonly Migration[]
  readonly seed?: DatabaseSeed
}

/** Rows that several test files start with, and that take long to write. */
export interface DatabaseSeed {
  /** Databases with the same key are clones of one database that was seeded once. */
  readonly key: string
  /** Must close every connection it opens. */
  readonly run: (adminUrl: string) => Promise<void>
}

export interface PreparedDatabase {
  readonly schema: string
  /** Databases with the same key are cloned from one template. */
  readonly templateKey: string
  /** Fills the template; must close every connection it opens. */
  readonly prepare: (adminUrl: string) => Promise<void>
}

export type TestDatabaseOptions = MigratedDatabase | PreparedDatabase

export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly adminUrl: string
  readonly ownerUrl: string
  readonly appUrl: string
  readonly relayUrl: string
}

/** A separate database, cloned from a template that is prepared once per run. */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const template = await ensureTemplate('migrations' in options ? byMigrations(options) : options)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withAdmin(async (admin) => {
    await admin.query(`create database ${name} template ${template}`)
    if ('migrations' in options) await letOwnerCreate(admin, name, options.schema)
  })
  return {
    name,
    adminUrl: urlOf(name, 'postgres'),
    ownerUrl: urlOf(name, `${options.schema}_owner`),
    appUrl: urlOf(name, `${options.schema}_app`),
    relayUrl: urlOf(name, `${options.schema}_relay`),
    [Symbol.asyncDispose]: () => dropDatabase(name),
  }
}

function byMigrations({ schema, migrations, seed }: MigratedDatabase): PreparedDatabase {
  return {
    schema,
    templateKey: JSON.stringify({ migrations, seed: seed?.key }),
    prepare: async (adminUrl) => {
      await ensureRoles(adminUrl, schema, { migrations })
      await migrate({ url: adminUrl, schema, migrations })
      await seed?.run(adminUrl)
    },
  }
}

/** Privileges on the database itself are not cloned with it. */
async function letOwnerCreate(admin: Client, database: string, schema: string): Promise<void> {
  await admin.query(`grant create on database ${database} to ${schema}_owner`)
}

/**
 * Workers build the template concurrently: a lock admits one, and the name appears only when it is
 * complete. It accepts no connections afterwards, because cloning fails while there is one.
 */
async function ensureTemplate(options: PreparedDatabase): Promise<string> {
  const digest = createHash('sha256').update(`${options.schema}\0${options.templateKey}`)
  const template = `template_${digest.digest('hex').slice(0, 24)}`
  await withAdmin(async (admin) => {
    if (await databaseExists(admin, template)) return
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [template])
    if (!(await databaseExists(admin, template))) await buildTemplate(admin, template, options)
  })
  return template
}

async function buildTemplate(
  admin: Client,
  template: string,
  options: PreparedDatabase,
): Promise<void> {
  const building = `${template}_building`
  await admin.query(`drop database if exists ${building} with (force)`)
  await admin.query(`create database ${building}`)
  await options.prepare(urlOf(building, 'postgres'))
  await admin.query(`alter database ${building} allow_connections false`)
  await admin.query(`alter database ${building} rename to ${template}`)
}

async function databaseExists(admin: Client, name: string): Promise<boolean> {
  const found = await admin.query('select 1 from pg_database where datname = $1', [name])
  return found.rowCount === 1
}

async function dropDatabase(name: string): Promise<void> {
  await withAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`))
}

async function withAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: testInfra().postgresUrl, ssl: false })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function urlOf(database: string, role: string): string {
  const url = new URL(testInfra().postgresUrl)
  url.username = role
  url.pathname = `/${database}`
  return url.href
}
