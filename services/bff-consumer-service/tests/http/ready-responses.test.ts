import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getHotel, hotelOf, warmUp } from '../harness/hotel-client.ts'
import { startPlatformPublisher } from '../harness/platform-events.ts'
import { startSessionClient } from '../harness/session-client.ts'
import {
  type Fixture,
  itemsOf,
  type RunningConsumer,
  searchRequest,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

/** Two processes that send ready responses, and learn of changes by broadcasts and events. */
let fixture: Fixture
let other: RunningConsumer
let platform: ReturnType<typeof startPlatformPublisher>

beforeAll(async () => {
  fixture = await startFixture()
  other = await startConsumer(fixture.environment)
  await warmUp(fixture)
  await warmUp({ ...fixture, service: other })
  platform = startPlatformPublisher(fixture.environment)
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

/** Well within a second on an idle machine; sessions and pages are cached for a minute. */
const SOON = { timeout: 5_000, interval: 10 }
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
      .poll(async () => (await search()).headers.get('set-cookie'), SOON)
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
    await expect.poll(statuses, SOON).toEqual([404, 404])
    await expect.poll(shown, SOON).toBe(false)
    await platform.reactivate(tenantId)
    await expect.poll(statuses, SOON).toEqual([200, 200])
    await expect.poll(shown, SOON).toBe(true)
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
