import type { App } from '@melmastoon/chassis/http'
import { newId, type PropertyId } from '@melmastoon/domain'
import { eventually, send, startWatchedService } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { ConsumerContext } from '../../src/context.ts'
import { EVERY_HOTEL, EVERY_PAGE } from '../../src/places/place-tags.ts'
import { service } from '../../src/service.ts'
import type { Upstreams } from '../../src/upstreams/create-upstreams.ts'
import { journeyTo, type Step } from '../harness/guest-journey.ts'
import { hotelOf } from '../harness/hotel-client.ts'
import {
  createGuest,
  type Fixture,
  get,
  post,
  type startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

const BASE = '/bff/consumer/v1'
/** Public routes that call no upstream before they respond. All others compose their response. */
const NOT_COMPOSED: ReadonlySet<string> = new Set([
  `post ${BASE}/session`,
  `get ${BASE}/session`,
  `post ${BASE}/session/locale`,
  `post ${BASE}/session/currency`,
  `post ${BASE}/session/consent`,
  `post ${BASE}/session/clear`,
  `get ${BASE}/locales`,
  `get ${BASE}/messages/{locale}`,
  `delete ${BASE}/wishlist/{propertyId}`,
  `post ${BASE}/telemetry/page-view`,
  `post ${BASE}/telemetry/funnel`,
  `post ${BASE}/challenge/local`,
])

/** The request ends before its upstreams respond, and these within their own time limits. */
const BUDGET_MS = 150
const UPSTREAM_DELAY_MS = 350

type Consumer = Awaited<ReturnType<typeof startConsumer>>

let fixture: Fixture
let hurried: Consumer
let propertyId: PropertyId
let steps: Step[]
let cookie: string

beforeAll(async () => {
  fixture = await startFixture()
  const { upstreams, environment } = fixture
  hurried = await startWatchedService(withBudget(BUDGET_MS), environment.env, {})
  const hotel = hotelOf(upstreams)
  propertyId = hotel.propertyId
  steps = journeyTo(hotel)
  cookie = await createReturningGuest(fixture.service.url)
})
afterAll(async () => {
  await hurried[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

/** The service with one deadline for all routes. */
function withBudget(deadlineMs: number): typeof service {
  return {
    ...service,
    routes(app: App, ctx: ConsumerContext) {
      app.addHook('onRoute', (route) => {
        route.config = { ...route.config, deadlineMs }
      })
      return service.routes(app, ctx)
    },
  }
}

/** With a hotel in each list. */
async function createReturningGuest(url: string): Promise<string> {
  const guest = await createGuest(url)
  const headers = { cookie: guest.cookie, 'idempotency-key': newId('req') }
  const json = { propertyId, source: 'detail' }
  expect((await post(url, '/wishlist', { json, headers })).status).toBe(201)
  await eventually(async () => {
    expect((await get(url, `/hotels/${propertyId}`, headers)).status).toBe(200)
    const { body } = await get(url, '/recently-viewed', headers)
    expect(body['items']).toHaveLength(1)
  })
  return guest.cookie
}

async function run({ route, path, json }: Step, url: string) {
  const method = route.split(' ')[0]?.toUpperCase() ?? ''
  await hurried.ctx.cache.invalidate([EVERY_HOTEL, EVERY_PAGE])
  const headers = { cookie, 'idempotency-key': newId('req') }
  const { status, body } = await send(url, method, path, {
    headers,
    ...(json !== undefined && { json }),
  })
  return [status, body['code']]
}

describe('the budget of a request', () => {
  it('is exceeded with one code on every route that composes its response', async () => {
    const composed = steps.filter(({ route }) => !NOT_COMPOSED.has(route))
    expect(composed.length).toBeGreaterThan(12)
    for (const upstream of Object.values(fixture.upstreams.behaviour)) {
      upstream.delayMs = UPSTREAM_DELAY_MS
    }
    const outcomes = new Map<string, unknown>()
    for (const step of composed) outcomes.set(step.route, await run(step, hurried.url))
    fixture.upstreams.reset()
    const exceeded = [504, 'MELMASTOON.BFF.CONSUMER.UPSTREAM_BUDGET_EXCEEDED']
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(composed.map(({ route }) => [route, exceeded])),
    )
  })

  it('suffices for every other route while no upstream responds', async () => {
    for (const upstream of Object.values(fixture.upstreams.behaviour)) upstream.mode = 'hanging'
    const others = steps.filter(({ route }) => NOT_COMPOSED.has(route))
    expect(others).toHaveLength(NOT_COMPOSED.size)
    for (const step of others) {
      const [status] = await run(step, fixture.service.url)
      expect(status, step.route).toBeLessThan(400)
    }
    fixture.upstreams.reset()
  })
})

describe('C5 the clients of the upstreams', () => {
  it('of pricing, properties, themes and tenants have no function that changes anything', () => {
    expectTypeOf<Upstreams['pricing']>().not.toHaveProperty('createQuote')
    expectTypeOf<Upstreams['pricing']>().not.toHaveProperty('changePrices')
    expectTypeOf<Upstreams['pricing']>().toHaveProperty('preview')
    const { pricing, property, theme, tenant, search } = fixture.service.ctx.upstreams
    const names = [pricing, property, theme, tenant].flatMap((client) => Object.keys(client))
    expect(names).toContain('preview')
    expect(names).toContain('getProperty')
    expect(names.filter((name) => WRITES.has(name))).toEqual([])
    // The only change of another service: the popularity of a listing.
    expect(Object.keys(search)).toContain('click')
  })
})

const WRITES: ReadonlySet<string> = new Set([
  'createQuote',
  'changePrices',
  'updateProperty',
  'createVersion',
  'publishVersion',
  'createTenant',
  'updateConfig',
  'addDomain',
  'suspend',
  'reactivate',
])
