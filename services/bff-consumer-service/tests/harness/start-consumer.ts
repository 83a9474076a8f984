import { serviceContracts } from '@melmastoon/chassis/service'
import type { GuestSessionId } from '@melmastoon/domain'
import {
  dedicatedEnvironment,
  fixedKeys,
  type SendOptions,
  send,
  startWatchedService,
  type TestEnvironment,
  type TestResponse,
  testEnvironment,
  upstreamEnv,
} from '@melmastoon/testkit'
import type { ContextOverrides } from '../../src/context.ts'
import { service } from '../../src/service.ts'
import { type FakeUpstreams, startFakeUpstreams } from './fake-upstreams/index.ts'

export const SERVICE_SECRET = 'the service-to-service secret of the tests'
export const contracts = serviceContracts(service)

export type { SendOptions, TestEnvironment, TestResponse } from '@melmastoon/testkit'

/** The environment variables of this service only. */
export function consumerEnv(upstreams: { url: string }) {
  return {
    ...upstreamEnv(upstreams.url, ['search', 'pricing', 'theme', 'property', 'tenant']),
    SERVICE_SECRET,
    HASH_PEPPERS: fixedKeys('pepper', 'p1'),
    HANDOFF_KEYS: fixedKeys('handoff', 'hmac-2026-04'),
  }
}

/** A test environment whose upstreams are at the given address. */
export function consumerEnvironment(upstreams: { url: string }): Promise<TestEnvironment> {
  return testEnvironment(service, consumerEnv(upstreams))
}

/** With dedicated servers, which a test may stop. */
export function dedicatedConsumerEnvironment(upstreams: { url: string }) {
  return dedicatedEnvironment(service, consumerEnv(upstreams))
}

const unlimited = (name: string) => ({ name, limit: 1_000_000, periodSeconds: 1 })

/** Most tests send many requests from one address with one fingerprint, and are not limited. */
const UNLIMITED = {
  policies: {
    read: unlimited('read'),
    change: unlimited('change'),
    handoff: unlimited('handoff'),
    newSessionDevice: unlimited('new-session-device'),
    address: unlimited('address'),
    device: unlimited('device'),
    fingerprint: unlimited('fingerprint'),
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

export async function startConsumer(
  environment: Pick<TestEnvironment, 'env'>,
  overrides: ContextOverrides = {},
) {
  return startWatchedService(service, environment.env, {
    halfOpenAfterMs: 150,
    flagPollMs: 50,
    ...overrides,
    policies: { ...UNLIMITED.policies, ...overrides.policies },
    bots: { ...overrides.bots, paces: { ...UNLIMITED.paces, ...overrides.bots?.paces } },
  })
}

export type RunningConsumer = Awaited<ReturnType<typeof startConsumer>>

export interface Fixture extends AsyncDisposable {
  readonly upstreams: FakeUpstreams
  readonly environment: TestEnvironment
  readonly service: RunningConsumer
}

/** Fake upstreams, a test environment and the service in it. */
export async function startFixture(overrides: ContextOverrides = {}): Promise<Fixture> {
  const upstreams = await startFakeUpstreams()
  const environment = await consumerEnvironment(upstreams)
  const service = await startConsumer(environment, overrides)
  return {
    upstreams,
    environment,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
      await upstreams[Symbol.asyncDispose]()
    },
  }
}

const BASE = '/bff/consumer/v1'

export function get(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return send(url, 'GET', `${BASE}${path}`, { headers })
}

export function post(url: string, path: string, options: SendOptions = {}): Promise<TestResponse> {
  return send(url, 'POST', `${BASE}${path}`, { json: {}, ...options })
}

export const cookieOf = ({ headers }: TestResponse) =>
  headers.get('set-cookie')?.split(';')[0] ?? ''
export const sessionIdOf = (cookie: string) =>
  (cookie.split('=')[1]?.split('.')[0] ?? '') as GuestSessionId

/** A session whose cookie is sent with every request. */
export async function createGuest(url: string, headers: Record<string, string> = {}) {
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

/** Two nights for two adults in Kabul, a week from now. */
export function searchRequest(over: Record<string, unknown> = {}) {
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

export const itemsOf = ({ body }: TestResponse) => body['items'] as Card[]
export const pricesOf = (response: TestResponse) =>
  itemsOf(response).map((card) => card.rateSnapshot)

/** The status of each section; empty for an error response. */
export function sectionsOf({ body }: TestResponse): Record<string, string> {
  const sections = Object.entries((body['sections'] ?? {}) as Record<string, { status: string }>)
  return Object.fromEntries(sections.map(([name, { status }]) => [name, status]))
}
