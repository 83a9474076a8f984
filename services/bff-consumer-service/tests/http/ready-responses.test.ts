import { type BroadcastProxy, startBroadcastProxy } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { getHotel, getPath, hotelOf, warmUp } from '../harness/hotel-client.ts'
import { startPlatformPublisher } from '../harness/platform-events.ts'
import { startSessionClient } from '../harness/session-client.ts'
import {
  consumerEnvironment,
  dayFromNow,
  type Fixture,
  itemsOf,
  type RunningConsumer,
  searchRequest,
  startConsumer,
} from '../harness/start-consumer.ts'

/**
 * Two processes that send ready responses, and learn of changes by broadcasts and events. Their
 * broadcasts can be cut off.
 */
let fixture: Fixture
let other: RunningConsumer
let broadcasts: BroadcastProxy
let platform: ReturnType<typeof startPlatformPublisher>

beforeAll(async () => {
  const upstreams = await startFakeUpstreams()
  const environment = await consumerEnvironment(upstreams)
  broadcasts = await startBroadcastProxy(environment.redis.sessionUrl)
  const env = { ...environment.env, REDIS_SESSION_URL: broadcasts.url }
  const service = await startConsumer({ env })
  other = await startConsumer({ env })
  const parts = [other, service, broadcasts, environment, upstreams]
  fixture = {
    upstreams,
    environment,
    service,
    async [Symbol.asyncDispose]() {
      for (const part of parts) await part[Symbol.asyncDispose]()
    },
  }
  await warmUp(fixture)
  await warmUp({ ...fixture, service: other })
  platform = startPlatformPublisher(environment)
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

/** Although sessions and pages are cached for a minute. */
const WITHIN_A_SECOND = { timeout: 1_000, interval: 10 }
/** The two seconds of `docs/sessions.md` and of the architecture, and a request that ends them. */
const WITHOUT_BROADCASTS = { timeout: 2_200, interval: 10 }
/** What no requirement limits. */
const EVENTUALLY = { timeout: 5_000, interval: 10 }
/** Of a visitor that is not suspected to be a bot. */
const BROWSER = {
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}
const both = () => [fixture.service, other]

/** Sends until the response is ready, so that it is known not to come from anywhere else. */
async function untilReady<T>(service: RunningConsumer, send: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < 20; turn += 1) {
    const { sent } = service.app.fastPath
    const response = await send()
    if (service.app.fastPath.sent > sent) return response
  }
  throw new Error('the response is never ready')
}

describe('a session that was cleared', () => {
  it('has no ready response in another process', async () => {
    const guest = await startSessionClient(fixture.service.url)
    const search = () => guest.search(searchRequest(), other.url)
    const known = await untilReady(other, search)
    expect(known.headers.get('set-cookie')).toBeNull()
    await guest.clear()
    await expect
      .poll(async () => (await search()).headers.get('set-cookie'), WITHIN_A_SECOND)
      .toMatch(/^__Host-gms_id=gms_/)
    expect((await guest.getSession(other.url)).status).toBe(401)
  })

  it('control: without the clearing it stays ready, with the same search', async () => {
    const guest = await startSessionClient(fixture.service.url)
    const search = () => guest.search(searchRequest(), other.url)
    const ids = [await untilReady(other, search), await untilReady(other, search)]
    expect(new Set(ids.map(({ headers }) => headers.get('x-search-session'))).size).toBe(1)
  })
})

describe('the hotels of a suspended tenant', () => {
  it('disappear from ready pages of all processes, and return', async () => {
    const { propertyId, tenantId } = hotelOf(fixture.upstreams, 0)
    const guest = await startSessionClient(fixture.service.url)
    const search = (url: string) => guest.search(searchRequest(), url)
    for (const service of both()) {
      await untilReady(service, () => getHotel(service.url, propertyId))
      const page = await untilReady(service, () => search(service.url))
      expect(itemsOf(page).map((card) => card.tenantId)).toContain(tenantId)
    }
    const statuses = async () =>
      await Promise.all(both().map(async ({ url }) => (await getHotel(url, propertyId)).status))
    const shown = async () =>
      (await Promise.all(both().map(({ url }) => search(url))))
        .flatMap(itemsOf)
        .some((card) => card.tenantId === tenantId)

    await platform.suspend(tenantId)
    await expect.poll(statuses, WITHIN_A_SECOND).toEqual([404, 404])
    await expect.poll(shown, WITHIN_A_SECOND).toBe(false)
    await platform.reactivate(tenantId)
    await expect.poll(statuses, EVENTUALLY).toEqual([200, 200])
    await expect.poll(shown, EVENTUALLY).toBe(true)
  })

  it.each([
    ['offers', '', 2],
    ['calendar', '', 4],
    ['availability', `?from=${dayFromNow(3)}&to=${dayFromNow(9)}`, 5],
  ])('have no ready %s in any process, and have it again', async (document, query, at) => {
    const { propertyId, tenantId } = hotelOf(fixture.upstreams, at)
    const path = `/hotels/${propertyId}/${document}${query}`
    const get = ({ url }: RunningConsumer) => getPath(url, path, { headers: BROWSER })
    for (const service of both()) {
      expect((await untilReady(service, () => get(service))).status).toBe(200)
    }
    const statuses = async () =>
      await Promise.all(both().map(async (service) => (await get(service)).status))
    await platform.suspend(tenantId)
    await expect.poll(statuses, WITHIN_A_SECOND).toEqual([404, 404])
    await platform.reactivate(tenantId)
    await expect.poll(statuses, EVENTUALLY).toEqual([200, 200])
    for (const service of both()) {
      expect((await untilReady(service, () => get(service))).status).toBe(200)
    }
  })

  it('control: without the event the page stays ready', async () => {
    const { propertyId } = hotelOf(fixture.upstreams, 3)
    for (const service of both()) {
      for (let turn = 0; turn < 2; turn += 1) {
        const page = await untilReady(service, () => getHotel(service.url, propertyId))
        expect(page.status).toBe(200)
      }
    }
  })
})

describe('while broadcasts are cut off', () => {
  afterEach(() => broadcasts.restore())

  it('a session that was cleared is rejected by another process within two seconds', async () => {
    const guest = await startSessionClient(fixture.service.url)
    const search = () => guest.search(searchRequest(), other.url)
    await untilReady(other, search)
    broadcasts.cutOff()
    await guest.clear()
    // The copy of the session is still used: no broadcast has arrived.
    expect((await untilReady(other, search)).headers.get('set-cookie')).toBeNull()
    await expect
      .poll(async () => (await guest.getSession(other.url)).status, WITHOUT_BROADCASTS)
      .toBe(401)
    expect((await search()).headers.get('set-cookie')).toMatch(/^__Host-gms_id=gms_/)
  })

  it('the hotels of a suspended tenant disappear within two seconds', async () => {
    const { propertyId, tenantId } = hotelOf(fixture.upstreams, 1)
    const statuses = async () =>
      await Promise.all(both().map(async ({ url }) => (await getHotel(url, propertyId)).status))
    await expect.poll(statuses).toEqual([200, 200])
    broadcasts.cutOff()
    await platform.suspend(tenantId)
    await expect.poll(statuses, WITHOUT_BROADCASTS).toEqual([404, 404])
    await platform.reactivate(tenantId)
    await expect.poll(statuses, EVENTUALLY).toEqual([200, 200])
  })
})
