import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askHotel, askPrice, hotelOf, warmUp } from '../harness/hotel-client.ts'
import { startPlatformNews } from '../harness/platform-events.ts'
import {
  type Fixture,
  type Running,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let second: Running
let news: ReturnType<typeof startPlatformNews>

beforeAll(async () => {
  fixture = await startFixture()
  second = await startConsumer(fixture.environment)
  await warmUp(fixture)
  await warmUp({ ...fixture, service: second })
  news = startPlatformNews(fixture.environment)
})
afterAll(async () => {
  await news[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(() => {
  fixture.upstreams.mend()
  fixture.upstreams.asked.length = 0
})

/** A second on a quiet machine. Without news it would be half a minute at least. */
const PROMPTLY = { timeout: 5_000, interval: 10 }
const onBoth = <T>(read: (url: string) => Promise<T>) =>
  Promise.all([fixture.service, second].map(({ url }) => read(url)))
const showBoth = (at: number) =>
  onBoth((url) => askHotel(url, hotelOf(fixture.upstreams, at).propertyId))
const statuses = async (at: number) => (await showBoth(at)).map(({ status }) => status)
const priceStatuses = (at: number) =>
  onBoth(async (url) => (await askPrice(url, hotelOf(fixture.upstreams, at).propertyId)).status)

async function similarTenants(at: number): Promise<string[][]> {
  const pages = await showBoth(at)
  return pages.map(({ body }) =>
    (body['similarProperties'] as { tenantId: string }[]).map(({ tenantId }) => tenantId),
  )
}

describe('C12 the hotel of a suspended tenant', () => {
  it('disappears from every instance within a second, with its price, and is back when reactivated', async () => {
    const { tenantId } = hotelOf(fixture.upstreams, 0)
    expect(await statuses(0)).toEqual([200, 200])
    expect(await priceStatuses(0)).toEqual([200, 200])
    await news.suspend(tenantId)
    await expect.poll(() => statuses(0), PROMPTLY).toEqual([404, 404])
    expect(await priceStatuses(0)).toEqual([404, 404])
    await news.reactivate(tenantId)
    await expect.poll(() => statuses(0), PROMPTLY).toEqual([200, 200])
  })

  it('is not among the similar hotels of another', async () => {
    const { tenantId } = hotelOf(fixture.upstreams, 2)
    for (const shown of await similarTenants(1)) expect(shown).toContain(tenantId)
    await news.suspend(tenantId)
    await expect
      .poll(async () => (await similarTenants(1)).flat().includes(tenantId), PROMPTLY)
      .toBe(false)
    const [first = []] = await similarTenants(1)
    expect(first).toHaveLength(3)
    await news.reactivate(tenantId)
    await expect
      .poll(
        async () => (await similarTenants(1)).every((shown) => shown.includes(tenantId)),
        PROMPTLY,
      )
      .toBe(true)
  })

  it('that its own service hides is back within a second as well', async () => {
    const { tenantId, propertyId } = hotelOf(fixture.upstreams, 13)
    fixture.upstreams.unlisted.add(propertyId)
    expect(await statuses(13)).toEqual([404, 404])
    fixture.upstreams.unlisted.clear()
    expect(await statuses(13)).toEqual([404, 404])
    await news.reactivate(tenantId)
    await expect.poll(() => statuses(13), PROMPTLY).toEqual([200, 200])
  })

  it('control: without the event it stays, from the cache', async () => {
    await showBoth(5)
    fixture.upstreams.asked.length = 0
    expect(await statuses(5)).toEqual([200, 200])
    expect(fixture.upstreams.asked).toEqual([])
  })
})

describe('C12 events', () => {
  it('of a listing: the hotel, its signals and its prices are requested again', async () => {
    const hotel = hotelOf(fixture.upstreams, 6)
    await showBoth(6)
    await showBoth(7)
    fixture.upstreams.propertyExtra = { description: { default: 'Painted anew.' } }
    fixture.upstreams.asked.length = 0
    await news.index(hotel)
    const descriptions = async () =>
      (await showBoth(6)).map(
        ({ body }) => (body['property'] as { description: string }).description,
      )
    await expect.poll(descriptions, PROMPTLY).toEqual(['Painted anew.', 'Painted anew.'])
    expect(fixture.upstreams.count('pricing')).toBeGreaterThan(0)
    const asked = fixture.upstreams.asked.length
    await showBoth(7)
    expect(fixture.upstreams.asked).toHaveLength(asked)
  })

  it('of a listing that was not indexed: it is found', async () => {
    const hotel = hotelOf(fixture.upstreams, 12)
    fixture.upstreams.unlisted.add(hotel.propertyId)
    expect(await statuses(12)).toEqual([404, 404])
    fixture.upstreams.unlisted.clear()
    await news.index(hotel)
    await expect.poll(() => statuses(12), PROMPTLY).toEqual([200, 200])
  })

  it('of a theme: only the brand is requested again', async () => {
    const { tenantId } = hotelOf(fixture.upstreams, 8)
    await showBoth(8)
    fixture.upstreams.asked.length = 0
    await news.publishTheme(tenantId)
    const asked = async () => {
      await showBoth(8)
      return fixture.upstreams.asked.map(({ upstream, body }) => [upstream, body['tenantIds']])
    }
    await expect.poll(asked, PROMPTLY).toEqual([['theme', [tenantId]]])
  })
})
