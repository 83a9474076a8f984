import { serviceContracts } from '@melmastoon/chassis/service'
import type { GuestSessionId } from '@melmastoon/domain'
import {
  type SendOptions,
  send,
  startService,
  type TestEnvironment,
  type TestResponse,
  testEnvironment,
} from '@melmastoon/testkit'
import type { ContextOverrides } from '../../src/context.ts'
import { service } from '../../src/service.ts'
import { type StandIn, startStandIn } from './fake-upstreams/index.ts'

export const SERVICE_SECRET = 'what services of the platform share, in tests'
export const contracts = serviceContracts(service)

export type Stage = TestEnvironment
export type Answer = TestResponse
export type { SendOptions } from '@melmastoon/testkit'

/** The upstreams are whatever the caller names. */
export async function setStage(upstreams: { url: string }): Promise<Stage> {
  return testEnvironment(service, {
    UPSTREAM_SEARCH_URL: `${upstreams.url}/search`,
    UPSTREAM_PRICING_URL: `${upstreams.url}/pricing`,
    UPSTREAM_THEME_URL: `${upstreams.url}/theme`,
    UPSTREAM_PROPERTY_URL: `${upstreams.url}/property`,
    UPSTREAM_TENANT_URL: `${upstreams.url}/tenant`,
    SERVICE_SECRET,
    HASH_PEPPERS: `p1:active:${Buffer.alloc(32, 'pepper').toString('base64url')}`,
    HANDOFF_KEYS: `hmac-2026-04:active:${Buffer.alloc(32, 'handoff').toString('base64url')}`,
  })
}

const often = (name: string) => ({ name, limit: 1_000_000, periodSeconds: 1 })

/** Tests of other things come in a hurry, from one address and with one fingerprint. */
const HASTY = {
  policies: {
    read: often('read'),
    change: often('change'),
    handoff: often('handoff'),
    newSessionDevice: often('new-session-device'),
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
  return startService(service, stage.env, {
    halfOpenAfterMs: 150,
    flagPollMs: 50,
    ...overrides,
    policies: { ...HASTY.policies, ...overrides.policies },
    bots: { ...overrides.bots, paces: { ...HASTY.paces, ...overrides.bots?.paces } },
  })
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

export function post(url: string, path: string, options: SendOptions = {}): Promise<Answer> {
  return send(url, 'POST', `/bff/consumer/v1${path}`, { json: {}, ...options })
}

export const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? ''
export const sessionIdOf = (cookie: string) =>
  (cookie.split('=')[1]?.split('.')[0] ?? '') as GuestSessionId

/** A guest who sends the cookie with every request. */
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
export function queryAsAdmin<R = Record<string, unknown>>(
  stage: Pick<Stage, 'query'>,
  text: string,
): Promise<R[]> {
  return stage.query<R>(text)
}
