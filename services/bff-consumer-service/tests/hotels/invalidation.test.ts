import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getHotel, getHotelPrice, hotelOf, warmUp } from '../harness/hotel-client.ts'
import { startPlatformPublisher } from '../harness/platform-events.ts'
import {
  type Fixture,
  type RunningConsumer,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let second: RunningConsumer
let platform: ReturnType<typeof startPlatformPublisher>

beforeAll(async () => {
  fixture = await startFixture()
  second = await startConsumer(fixture.environment)
  await warmUp(fixture)
  await warmUp({ ...fixture, service: second })
  platform = startPlatformPublisher(fixture.environment)
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.requests.length = 0
})

/** Takes about a second on an idle machine; without the event it would be at least 30 seconds. */
const POLL_FAST = { timeout: 5_000, interval: 10 }
const onBoth = <T>(read: (url: string) => Promise<T>) =>
  Promise.all([fixture.service, second].map(({ url }) => read(url)))
const getFromBoth = (at: number) =>
  onBoth((url) => getHotel(url, hotelOf(fixture.upstreams, at).propertyId))
const statuses = async (at: number) => (await getFromBoth(at)).map(({ status }) => status)
const priceStatuses = (at: number) =>
  onBoth(
    async (url) => (await getHotelPrice(url, hotelOf(fixture.upstreams, at).propertyId)).status,
  )

async function similarTenants(at: number): Promise<string[][]> {
  const pages = await getFromBoth(at)
  return pages.map(({ body }) =>
    (body['similarProperties'] as { tenantId: string }[]).map(({ tenantId }) => tenantId),
  )
}

describe('C12 the hotel of a suspended tenant', () => {
  it('disappears from every instance within a second, with its price, and is back when reactivated', async () => {
    const { tenantId } = hotelOf(fixture.upstreams, 0)
    expect(await statuses(0)).toEqual([200, 200])
    expect(await priceStatuses(0)).toEqual([200, 200])
    await platform.suspend(tenantId)
    await expect.poll(() => statuses(0), POLL_FAST).toEqual([404, 404])
    expect(await priceStatuses(0)).toEqual([404, 404])
    await platform.reactivate(tenantId)
    await expect.poll(() => statuses(0), POLL_FAST).toEqual([200, 200])
  })

  it('is not among the similar hotels of another', async () => {
    const { tenantId } = hotelOf(fixture.upstreams, 2)
    for (const shown of await similarTenants(1)) expect(shown).toContain(tenantId)
    await platform.suspend(tenantId)
    await expect
      .poll(async () => (await similarTenants(1)).flat().includes(tenantId), POLL_FAST)
      .toBe(false)
    const [first = []] = await similarTenants(1)
    expect(first).toHaveLength(3)
    await platform.reactivate(tenantId)
    await expect
      .poll(
        async () => (await similarTenants(1)).every((shown) => shown.includes(tenantId)),
        POLL_FAST,
      )
      .toBe(true)
  })

  it('hidden by its own service is back within a second as well', async () => {
    const { tenantId, propertyId } = hotelOf(fixture.upstreams, 13)
    fixture.upstreams.unlisted.add(propertyId)
    expect(await statuses(13)).toEqual([404, 404])
    fixture.upstreams.unlisted.clear()
    expect(await statuses(13)).toEqual([404, 404])
    await platform.reactivate(tenantId)
    await expect.poll(() => statuses(13), POLL_FAST).toEqual([200, 200])
  })

  it('control: without the event it stays, from the cache', async () => {
    await getFromBoth(5)
    fixture.upstreams.requests.length = 0
    expect(await statuses(5)).toEqual([200, 200])
    expect(fixture.upstreams.requests).toEqual([])
  })
})

describe('C12 events', () => {
  it('of a listing: the hotel, its signals and its prices are requested again', async () => {
    const hotel = hotelOf(fixture.upstreams, 6)
    await getFromBoth(6)
    await getFromBoth(7)
    fixture.upstreams.propertyExtra = { description: { default: 'Redecorated.' } }
    fixture.upstreams.requests.length = 0
    await platform.index(hotel)
    const descriptions = async () =>
      (await getFromBoth(6)).map(
        ({ body }) => (body['property'] as { description: string }).description,
      )
    await expect.poll(descriptions, POLL_FAST).toEqual(['Redecorated.', 'Redecorated.'])
    expect(fixture.upstreams.count('pricing')).toBeGreaterThan(0)
    const requestCount = fixture.upstreams.requests.length
    await getFromBoth(7)
    expect(fixture.upstreams.requests).toHaveLength(requestCount)
  })

  it('of a listing that was not indexed: it is found', async () => {
    const hotel = hotelOf(fixture.upstreams, 12)
    fixture.upstreams.unlisted.add(hotel.propertyId)
    expect(await statuses(12)).toEqual([404, 404])
    fixture.upstreams.unlisted.clear()
    await platform.index(hotel)
    await expect.poll(() => statuses(12), POLL_FAST).toEqual([200, 200])
  })

  it('of a theme: only the brand is requested again', async () => {
    const { tenantId } = hotelOf(fixture.upstreams, 8)
    await getFromBoth(8)
    fixture.upstreams.requests.length = 0
    await platform.publishTheme(tenantId)
    const requestedBrands = async () => {
      await getFromBoth(8)
      return fixture.upstreams.requests.map(({ upstream, body }) => [upstream, body['tenantIds']])
    }
    await expect.poll(requestedBrands, POLL_FAST).toEqual([['theme', [tenantId]]])
  })
})
