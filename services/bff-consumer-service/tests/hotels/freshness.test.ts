import { createTestClock, type TestClock } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  getHotel,
  getHotelPrice,
  hotelOf,
  PREFERENCES,
  ratesOf,
  warmUp,
} from '../harness/hotel-client.ts'
import {
  type Fixture,
  sectionsOf,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

/** With a test clock: cached entries age only when a test advances it. */
let clock: TestClock
let fixture: Fixture

beforeAll(async () => {
  clock = createTestClock(new Date())
  fixture = await startFixture({ clock })
  fixture.upstreams.capturedAt = () => clock.now().toISOString()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(async () => {
  fixture.upstreams.reset()
  await warmUp(fixture)
  await campaign(false)
})

const own = (at = 0) => hotelOf(fixture.upstreams, at).propertyId
const show = (at = 0) => getHotel(fixture.service.url, own(at))
const price = (at = 0) => getHotelPrice(fixture.service.url, own(at))
const rateOf = ({ body }: TestResponse) => body['cheapestRateSnapshot'] as Record<string, unknown>
const isStale = (response: TestResponse) => rateOf(response)['isStale']
const previews = () =>
  fixture.upstreams.requests.filter(({ path }) => path.endsWith('preview')).length

async function campaign(enabled: boolean) {
  const { ctx } = fixture.service
  await ctx.cacheRedis.set('bff.consumer.campaign_mode.v1', JSON.stringify({ enabled }))
  await expect.poll(() => ctx.flags.isCampaign()).toBe(enabled)
}

/** The time for which a client may show the response, from the capture of the price. */
function maxAgeMs({ headers }: TestResponse): number {
  const maxAge = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? '0'
  return Math.max(0, Number(maxAge) - Number(headers.get('age'))) * 1_000
}

describe.each([false, true])('D6 a price, in a campaign: %s', (isCampaign) => {
  it('is fresh for exactly a minute, and never declared fresh after it', async () => {
    await campaign(isCampaign)
    const first = await price()
    expect([isStale(first), sectionsOf(first)]).toEqual([false, { prices: 'fresh' }])
    // The upstream is down from now on, so only cached responses are served.
    fixture.upstreams.behaviour.pricing.mode = 'down'
    clock.advance(59_900)
    const young = await price()
    expect([isStale(young), young.body['degraded']]).toEqual([false, false])
    expect(rateOf(young)['capturedAt']).toBe(rateOf(first)['capturedAt'])
    expect(maxAgeMs(young)).toBe(0)

    clock.advance(200)
    const old = await price()
    expect([old.status, isStale(old), old.body['degraded']]).toEqual([200, true, true])
    expect(sectionsOf(old)).toEqual({ prices: 'stale' })
    expect(rateOf(old)['capturedAt']).toBe(rateOf(first)['capturedAt'])
    expect(old.headers.get('cache-control')).toBe('private, no-cache')
    expect(old.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })

  it('is revalidated before it is a minute old', async () => {
    await campaign(isCampaign)
    const first = await price()
    clock.advance(55_000)
    const before = previews()
    expect(isStale(await price())).toBe(false)
    await expect.poll(previews).toBe(before + 1)
    await expect
      .poll(async () => rateOf(await price())['capturedAt'])
      .not.toBe(rateOf(first)['capturedAt'])
    clock.advance(70_000)
    expect(isStale(await price())).toBe(false)
  })
})

describe('D6 a price', () => {
  it('is served for ten minutes while pricing is down, marked as stale, and then omitted', async () => {
    await price()
    await show()
    fixture.upstreams.behaviour.pricing.mode = 'down'
    clock.advance(9 * 60_000)
    const old = await price()
    expect([isStale(old), sectionsOf(old)]).toEqual([true, { prices: 'stale' }])
    expect(sectionsOf(await show())).toMatchObject({ prices: 'stale' })
    clock.advance(3 * 60_000)
    expect(sectionsOf(await price())).toEqual({ prices: 'missing' })
  })

  it('that pricing returns late is stale, and requested again soon', async () => {
    fixture.upstreams.capturedAt = () => new Date(clock.nowMs() - 61_000).toISOString()
    const late = await price()
    fixture.upstreams.capturedAt = () => clock.now().toISOString()
    expect(isStale(late)).toBe(true)
    clock.advance(3_000)
    expect(isStale(await price())).toBe(false)
  })

  it('of an upstream clock that runs ahead is no younger than its response', async () => {
    fixture.upstreams.capturedAt = () => new Date(clock.nowMs() + 60_000).toISOString()
    const response = await price()
    fixture.upstreams.capturedAt = () => clock.now().toISOString()
    expect(rateOf(response)['capturedAt']).toBe(clock.now().toISOString())
  })

  it('is never cacheable for longer than it is fresh', async () => {
    fixture.upstreams.capturedAt = () => new Date(clock.nowMs() - 52_000).toISOString()
    const response = await price()
    fixture.upstreams.capturedAt = () => clock.now().toISOString()
    expect(isStale(response)).toBe(false)
    expect(response.headers.get('cache-control')).toBe('private, max-age=8')
  })

  it('on the public page is stale from the start, and has its capture time', async () => {
    const page = await show()
    const capturedAt = rateOf(page)['capturedAt']
    expect(ratesOf(page).map((rate) => rate?.['isStale'])).toEqual(Array(5).fill(true))
    clock.advance(40_000)
    expect(rateOf(await show())['capturedAt']).toBe(capturedAt)
    clock.advance(40_000)
    expect(rateOf(await show())['capturedAt']).toBe(clock.now().toISOString())
  })
})

describe('D6 prices of similar hotels when the hotel has none', () => {
  const ratesIn = async (currency: string) => {
    const response = await getHotel(fixture.service.url, own(7), {
      query: { ...PREFERENCES, currency },
    })
    return ratesOf(response).map((rate) => rate && [rate['currency'], rate['capturedAt']])
  }
  const four = (currency: string) => Array(4).fill([currency, clock.now().toISOString()])

  it('are in the requested currency, and revalidated', async () => {
    fixture.upstreams.unsold.add(own(7))
    expect(await ratesIn('AFN')).toEqual([undefined, ...four('AFN')])
    expect(await ratesIn('USD')).toEqual([undefined, ...four('USD')])
    clock.advance(10_000)
    await fixture.service.ctx.cache.invalidate([`listing:${own(7)}`])
    expect(await ratesIn('USD')).toEqual([undefined, ...four('USD')])
    fixture.upstreams.unsold.clear()
  })
})

describe('C11 the rest of a page', () => {
  it('is cached for five minutes while its prices are revalidated', async () => {
    await show()
    const property = () => fixture.upstreams.count('property')
    const before = property()
    clock.advance(4 * 60_000)
    const page = await show()
    expect(property()).toBe(before)
    expect(sectionsOf(page)).toMatchObject({ property: 'fresh', prices: 'fresh' })
    const { property: section } = page.body['sections'] as { property: { ageMs: number } }
    expect(section.ageMs).toBe(240_000)
    expect(page.headers.get('age')).toBe('0')
  })

  it('is served once more while it is revalidated in the background', async () => {
    await show()
    clock.advance(5.5 * 60_000)
    const old = await show()
    expect(sectionsOf(old)).toMatchObject({ property: 'stale', similar: 'stale' })
    await expect.poll(async () => sectionsOf(await show())).toMatchObject({ property: 'fresh' })
  })

  it('is served for ten minutes while the property service is down, and then an error', async () => {
    await show()
    fixture.upstreams.behaviour.property.mode = 'down'
    clock.advance(14 * 60_000)
    const old = await show()
    expect([old.status, old.body['degraded']]).toEqual([200, true])
    expect(sectionsOf(old)).toMatchObject({ property: 'stale', prices: 'fresh' })
    clock.advance(3 * 60_000)
    const gone = await show()
    expect([gone.status, gone.body['code']]).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
  })

  it('contains its age, never more than a minute', async () => {
    await show()
    clock.advance(45_000)
    expect((await show()).headers.get('age')).toBe('45')
    fixture.upstreams.behaviour.pricing.mode = 'down'
    clock.advance(5 * 60_000)
    expect(Number((await show()).headers.get('age'))).toBeLessThanOrEqual(60)
  })
})

describe('the default stay', () => {
  it('changes at midnight at the hotel', async () => {
    const stayOf = async () => (await show(9)).body['stay']
    const before = await stayOf()
    // A day later the date of tomorrow differs, whatever the time of day.
    clock.advance(86_400_000)
    expect(await stayOf()).not.toEqual(before)
    const query = { ...PREFERENCES, ...(before as Record<string, string>) }
    clock.advance(2 * 86_400_000)
    const past = await getHotel(fixture.service.url, own(9), { query })
    expect([past.status, past.body['errors']]).toMatchObject([400, [{ pointer: '/query/checkIn' }]])
  })
})
