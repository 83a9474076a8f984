import { runStopPhases } from '@melmastoon/chassis/lifecycle'
import { silentLogger } from '@melmastoon/chassis/telemetry'
import { eventually, testDatabase, testRedis } from '@melmastoon/testkit'
import { Client } from 'pg'
import type { ConsumerContext, ContextOverrides } from '../src/context.ts'
import {
  CONSUMER_SCHEMA,
  consumerMigrations,
  createConsumerService,
  readConfig,
} from '../src/index.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

export const SERVICE_SECRET = 'what services of the platform share, in tests'

export interface Stage extends AsyncDisposable {
  readonly env: Record<string, string>
  readonly adminUrl: string
  readonly redis: { readonly sessionUrl: string; readonly cacheUrl: string }
}

/** A database and two Redis scopes; the upstreams are whatever the caller names. */
export async function setStage(upstreams: { url: string }): Promise<Stage> {
  const migrations = await consumerMigrations()
  const database = await testDatabase({ schema: CONSUMER_SCHEMA, migrations })
  const redis = await testRedis()
  return {
    adminUrl: database.adminUrl,
    redis,
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
      UPSTREAM_SEARCH_URL: `${upstreams.url}/search`,
      UPSTREAM_PRICING_URL: `${upstreams.url}/pricing`,
      UPSTREAM_THEME_URL: `${upstreams.url}/theme`,
      UPSTREAM_PROPERTY_URL: `${upstreams.url}/property`,
      UPSTREAM_TENANT_URL: `${upstreams.url}/tenant`,
      SERVICE_SECRET,
      HASH_PEPPERS: `p1:active:${Buffer.alloc(32, 'pepper').toString('base64url')}`,
      IDEMPOTENCY_SECRET: 'a secret for tests, long enough to be one',
      HANDOFF_KEYS: `hmac-2026-04:active:${Buffer.alloc(32, 'handoff').toString('base64url')}`,
      INTERNAL_SECRET: 'another secret for tests, long enough too',
      LOG_LEVEL: 'silent',
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const often = (name: string) => ({ name, limit: 1_000_000, periodSeconds: 1 })

/** Tests of other things come in a hurry, from one address and with one fingerprint. */
const HASTY = {
  policies: {
    read: often('read'),
    change: often('change'),
    handoff: often('handoff'),
    mint: often('mint'),
    address: often('address'),
    fingerprint: often('fingerprint'),
  },
  paces: {
    guestFast: 1_000_000,
    guestInhuman: 1_000_000,
    fingerprintFast: 1_000_000,
    addressFast: 1_000_000,
    sessionsMany: 1_000_000,
    sessionsFlood: 1_000_000,
  },
}

export async function startConsumer(stage: Pick<Stage, 'env'>, overrides: ContextOverrides = {}) {
  const service = await createConsumerService(readConfig(stage.env), {
    halfOpenAfterMs: 150,
    flagPollMs: 50,
    announceMs: 0,
    ...overrides,
    policies: { ...HASTY.policies, ...overrides.policies },
    bots: { ...overrides.bots, paces: { ...HASTY.paces, ...overrides.bots?.paces } },
  })
  const running = await service.start()
  await eventually(() => expectCalm(service.ctx, running.url))
  return {
    ...service,
    ...running,
    async [Symbol.asyncDispose]() {
      await runStopPhases(running.stopPhases, { totalMs: 8_000, logger: silentLogger })
    },
  }
}

/** On a busy machine a service listens before it is connected and out of breath, and says so. */
async function expectCalm(ctx: ConsumerContext, url: string): Promise<void> {
  await Promise.all([ctx.sessionRedis.ping(), ctx.cacheRedis.ping()])
  const { status } = await fetch(new URL('/no-such-route', url))
  if (status !== 404) throw new Error(`the service answers ${status}`)
}

export type Running = Awaited<ReturnType<typeof startConsumer>>

export interface World extends AsyncDisposable {
  readonly upstreams: StandIn
  readonly stage: Stage
  readonly service: Running
}

/** The stand-in, a stage and the service upon it. */
export async function startWorld(overrides: ContextOverrides = {}): Promise<World> {
  const upstreams = await startStandIn()
  const stage = await setStage(upstreams)
  const service = await startConsumer(stage, overrides)
  return {
    upstreams,
    stage,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await stage[Symbol.asyncDispose]()
      await upstreams[Symbol.asyncDispose]()
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
  readonly durationMs: number
}

export interface SendOptions {
  readonly json?: unknown
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

export async function post(url: string, path: string, options: SendOptions = {}): Promise<Answer> {
  const body = options.raw ?? JSON.stringify(options.json ?? {})
  const startedMs = performance.now()
  const response = await fetch(new URL(`/bff/consumer/v1${path}`, url), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...options.headers },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as Answer['body']) : {},
    durationMs: performance.now() - startedMs,
  }
}

export const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? ''
export const sessionIdOf = (cookie: string) => cookie.split('=')[1]?.split('.')[0] ?? ''

/** A guest who keeps her cookie. */
export async function meetGuest(url: string, headers: Record<string, string> = {}) {
  const started = await post(url, '/session', { headers })
  const cookie = cookieOf(started)
  return {
    id: sessionIdOf(cookie),
    cookie,
    search: (json: unknown, more: Record<string, string> = {}) =>
      post(url, '/search', { json, headers: { cookie, ...headers, ...more } }),
  }
}

const DAY_MS = 86_400_000

export function dayFromNow(days: number, nowMs = Date.now()): string {
  return new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10)
}

/** Two nights for two in Kabul, a week from now. */
export function aQuestion(over: Record<string, unknown> = {}) {
  return {
    geo: { mode: 'city', city: 'kabul' },
    dates: { checkIn: dayFromNow(7), checkOut: dayFromNow(9) },
    occupancy: { adults: 2, children: 0, rooms: 1 },
    ...over,
  }
}

export interface Card extends Record<string, unknown> {
  propertyId: string
  tenantId: string
  rateSnapshot?: Record<string, unknown>
}

export const itemsOf = ({ body }: Answer) => body['items'] as Card[]
export const pricesOf = (answer: Answer) => itemsOf(answer).map((card) => card.rateSnapshot)

/** What became of each section; none of a page that is a refusal. */
export function sectionsOf({ body }: Answer): Record<string, string> {
  const sections = Object.entries((body['sections'] ?? {}) as Record<string, { status: string }>)
  return Object.fromEntries(sections.map(([name, { status }]) => [name, status]))
}

/** As the superuser. */
export async function queryAsAdmin<R = Record<string, unknown>>(
  { adminUrl }: Pick<Stage, 'adminUrl'>,
  text: string,
): Promise<R[]> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows as R[]
  } finally {
    await client.end()
  }
}
