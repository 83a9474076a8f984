import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getHotel, hotelOf, warmUp } from '../harness/hotel-client.ts'
import {
  type Fixture,
  type RunningConsumer,
  sectionsOf,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let second: RunningConsumer

beforeAll(async () => {
  fixture = await startFixture()
  second = await startConsumer(fixture.environment)
  await warmUp(fixture)
  await warmUp({ ...fixture, service: second })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(async () => {
  const brands = fixture.upstreams.hotels.map(({ tenantId }) => `brand:${tenantId}`)
  await eventually(() => fixture.service.ctx.cache.invalidate(['hotel', ...brands]))
  fixture.upstreams.reset()
  fixture.upstreams.requests.length = 0
})

function calls(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { upstream, path } of fixture.upstreams.requests) {
    const name = path.includes('calendar') ? 'calendar' : upstream
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const ONCE = { property: 1, search: 1, pricing: 1, calendar: 1, theme: 1 }

it('500 requests at two processes call every upstream once', async () => {
  const { propertyId } = hotelOf(fixture.upstreams)
  const urls = [fixture.service.url, second.url]
  const requests = Array.from({ length: 500 }, (_, at) => getHotel(urls[at % 2] ?? '', propertyId))
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(calls()).toEqual(ONCE)
})

/**
 * The search service takes longer than a page waits for it. A process whose request came later must
 * not continue with more similar hotels than the other: it would request other prices and brands.
 */
it('requests that start at different times share the outcome of a late search service', async () => {
  const { propertyId } = hotelOf(fixture.upstreams)
  fixture.upstreams.behaviour.search.delayMs = 1_150
  const early = getHotel(fixture.service.url, propertyId)
  await delay(300)
  const late = getHotel(second.url, propertyId)
  const sections = (await Promise.all([early, late])).map(sectionsOf)
  expect(sections).toMatchObject([{ similar: 'missing' }, { similar: 'missing' }])
  expect(calls()).toEqual(ONCE)
})

it('control: two processes without a common Redis call every upstream twice', async () => {
  const { propertyId } = hotelOf(fixture.upstreams, 1)
  const redis = { REDIS_CACHE_URL: fixture.environment.env['REDIS_SESSION_URL'] ?? '' }
  await using apart = await startConsumer({ env: { ...fixture.environment.env, ...redis } })
  await warmUp({ ...fixture, service: apart })
  await Promise.all([apart.url, second.url].map((url) => getHotel(url, propertyId)))
  expect(calls()).toEqual({ property: 2, search: 2, pricing: 2, calendar: 2, theme: 2 })
})
