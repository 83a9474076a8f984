import {
  createDatabase,
  type Database,
  ensureRoles,
  migrate,
  roleNames,
} from '@melmastoon/chassis/db'
import { type ServiceDefinition, serviceMigrations } from '@melmastoon/chassis/service'
import { type Instance, startPostgres, startRedis } from '@melmastoon/one-machine'
import { Client } from 'pg'
import { fixedKeys } from './service-env.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testDatabase } from './test-database.ts'
import { testRedis } from './test-redis.ts'

type Env = Readonly<Record<string, string>>

/** The servers of all processes of one service: a migrated database and two Redis scopes. */
export interface TestEnvironment extends AsyncDisposable {
  readonly env: Record<string, string>
  readonly schema: string
  readonly adminUrl: string
  /** For seeding and other work for all tenants. */
  readonly relayUrl: string
  readonly redis: { readonly sessionUrl: string; readonly cacheUrl: string }
  /** As the superuser, who bypasses row-level security. */
  query<R = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>
  countRows(table: string, where?: string): Promise<number>
}

type Migrated = Pick<ServiceDefinition, 'config' | 'migrations' | 'idempotencyIsolation'>

export interface EnvironmentSeed {
  /** Databases with the same key are clones of one database that was seeded once. */
  readonly key: string
  /** Idempotent: it runs again on a clone, whose template may have been seeded yesterday. */
  readonly run: (db: Database) => Promise<unknown>
}

/** A database and Redis scopes on the servers that all tests of a run share. */
export async function testEnvironment(
  service: Migrated,
  env: Env = {},
  seed?: EnvironmentSeed,
): Promise<TestEnvironment> {
  const { schema } = service.config
  const migrations = await serviceMigrations(service)
  const seedAt = (adminUrl: string) => seedDatabase(asRole(adminUrl, roleNames(schema).relay), seed)
  const database = await testDatabase({
    schema,
    migrations,
    ...(seed === undefined ? {} : { seed: { key: seed.key, run: seedAt } }),
  })
  await seedAt(database.adminUrl)
  const redis = await testRedis()
  return {
    ...environmentOf({ schema, adminUrl: database.adminUrl, redis }, env),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

export interface DedicatedEnvironment extends TestEnvironment {
  readonly postgres: Instance
  /** The one for sessions, then the one for caches. */
  readonly redisServers: readonly Instance[]
}

/** Servers that belong to one test, which may stop them. */
export async function dedicatedEnvironment(
  service: Migrated,
  env: Env = {},
): Promise<DedicatedEnvironment> {
  const folder = temporaryFolder()
  const postgres = await startPostgres({ dataDir: `${folder.path}/postgres`, port: 0 })
  const startOne = (policy: 'noeviction' | 'allkeys-lru') =>
    startRedis({ dataDir: `${folder.path}/${policy}`, port: 0, policy })
  const [session, cache] = await Promise.all([startOne('noeviction'), startOne('allkeys-lru')])
  const { schema } = service.config
  const migrations = await serviceMigrations(service)
  await ensureRoles(postgres.url, schema, { migrations })
  await migrate({ url: postgres.url, schema, migrations })
  const redis = { sessionUrl: session.url, cacheUrl: cache.url }
  return {
    ...environmentOf({ schema, adminUrl: postgres.url, redis }, env),
    postgres,
    redisServers: [session, cache],
    async [Symbol.asyncDispose]() {
      await Promise.all([postgres, session, cache].map((server) => server.stop()))
      folder[Symbol.dispose]()
    },
  }
}

async function seedDatabase(url: string, seed: EnvironmentSeed | undefined): Promise<void> {
  if (seed === undefined) return
  await using db = createDatabase({ url, poolMax: 2, onError: () => undefined })
  await seed.run(db)
}

interface Servers {
  readonly schema: string
  readonly adminUrl: string
  readonly redis: TestEnvironment['redis']
}

function environmentOf({ schema, adminUrl, redis }: Servers, env: Env) {
  const roles = roleNames(schema)
  const query = <R>(text: string, values: readonly unknown[] = []) =>
    queryAsAdmin<R>(adminUrl, text, values)
  return {
    schema,
    adminUrl,
    relayUrl: asRole(adminUrl, roles.relay),
    redis,
    env: {
      PORT: '0',
      INTERNAL_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: adminUrl,
      DATABASE_APP_URL: asRole(adminUrl, roles.app),
      DATABASE_RELAY_URL: asRole(adminUrl, roles.relay),
      DATABASE_OWNER_URL: asRole(adminUrl, roles.owner),
      REDIS_SESSION_URL: redis.sessionUrl,
      REDIS_CACHE_URL: redis.cacheUrl,
      IDEMPOTENCY_SECRET: 'a secret for tests with sufficient length',
      SESSION_KEYS: fixedKeys('session', 's1'),
      INTERNAL_SECRET: 'another secret of sufficient length',
      LOG_LEVEL: 'silent',
      ...env,
    },
    query,
    async countRows(table: string, where = 'true') {
      const text = `select count(*)::int as n from ${schema}.${table} where ${where}`
      const [row] = await query<{ n: number }>(text)
      return row?.n ?? 0
    },
  }
}

function asRole(adminUrl: string, role: string): string {
  const url = new URL(adminUrl)
  url.username = role
  return url.href
}

async function queryAsAdmin<R>(
  adminUrl: string,
  text: string,
  values: readonly unknown[],
): Promise<R[]> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows as R[]
  } finally {
    await client.end()
  }
}
