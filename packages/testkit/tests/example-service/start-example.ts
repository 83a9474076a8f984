import { runStopPhases } from '@melmastoon/chassis/lifecycle'
import { silentLogger } from '@melmastoon/chassis/telemetry'
import { newId, type TenantId } from '@melmastoon/domain'
import { testDatabase, testRedis } from '@melmastoon/testkit'
import { Client } from 'pg'
import { readConfig } from '../../src/example-service/config.ts'
import type { ContextOverrides } from '../../src/example-service/context.ts'
import { EXAMPLE_SCHEMA, exampleMigrations } from '../../src/example-service/migrations.ts'
import { createExampleService } from '../../src/example-service/service.ts'
import { type ExampleUpstream, startExampleUpstream } from '../../src/example-upstream.ts'

export interface Stage extends AsyncDisposable {
  env: Record<string, string>
  adminUrl: string
  upstream: ExampleUpstream
}

/**
 * A database, two Redis scopes and an upstream: all a service needs, in this process or another.
 */
export async function setStage(): Promise<Stage> {
  const database = await testDatabase({
    schema: EXAMPLE_SCHEMA,
    migrations: await exampleMigrations(),
  })
  const redis = await testRedis()
  const upstream = await startExampleUpstream()
  return {
    upstream,
    adminUrl: database.adminUrl,
    env: {
      PORT: '0',
      INTERNAL_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: database.adminUrl,
      DATABASE_APP_URL: database.appUrl,
      DATABASE_RELAY_URL: database.relayUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      REDIS_SESSION_URL: redis.sessionUrl,
      REDIS_CACHE_URL: redis.cacheUrl,
      EXAMPLE_UPSTREAM_URL: upstream.url,
      IDEMPOTENCY_SECRET: 'a secret for tests, long enough to be one',
      INTERNAL_SECRET: 'another secret for tests, long enough too',
      LOG_LEVEL: 'silent',
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Record<string, unknown>
}

export interface Guest {
  tenantId: TenantId
  cookie: string
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
}

interface SendOptions {
  key?: string
  json?: unknown
  raw?: string
  headers?: Record<string, string>
}

export async function startExample(stage: Stage, overrides: ContextOverrides = {}) {
  const service = await createExampleService(readConfig(stage.env), {
    upstream: { timeoutMs: 1_000, halfOpenAfterMs: 200 },
    ...overrides,
  })
  const running = await service.start()
  return {
    ...service,
    ...running,
    async [Symbol.asyncDispose]() {
      await runStopPhases(running.stopPhases, { totalMs: 8_000, logger: silentLogger })
    },
  }
}

/** A guest with a session, at a hotel of her own. */
export async function meetGuest(url: string, tenantId = newId('tnt')): Promise<Guest> {
  const started = await send(url, 'POST', '/example/v1/session', { json: { locale: 'ps-AF' } })
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    tenantId,
    cookie,
    send: (method, path, options = {}) =>
      send(url, method, path.replace(':tenantId', tenantId), {
        ...options,
        headers: { cookie, ...options.headers },
      }),
  }
}

export async function send(
  url: string,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<Answer> {
  const body = options.raw ?? (options.json === undefined ? null : JSON.stringify(options.json))
  const response = await fetch(new URL(path, url), {
    method,
    body,
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(options.key && { 'idempotency-key': options.key }),
      ...options.headers,
    },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const parsed = isJson ? (JSON.parse(text) as Answer['body']) : {}
  return { status: response.status, headers: response.headers, text, body: parsed }
}

export const ABOUT_NOTES = "subject like '%.note.%'"

/** Counts as the superuser, whom no policy hides anything from. */
export async function countRows(stage: Stage, table: string, where = 'true'): Promise<number> {
  const client = new Client({ connectionString: stage.adminUrl })
  await client.connect()
  try {
    const result = await client.query(
      `select count(*)::int as n from ${EXAMPLE_SCHEMA}.${table} where ${where}`,
    )
    return (result.rows[0] as { n: number }).n
  } finally {
    await client.end()
  }
}
