import { createTestClock, type TestClock } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createGuest,
  dayFromNow,
  type Fixture,
  post,
  pricesOf,
  searchRequest,
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
  await campaign(false)
  fixture.upstreams.reset()
})

let nights = 0
const fresh = () => {
  nights += 1
  const today = clock.nowMs()
  return searchRequest({
    dates: { checkIn: dayFromNow(3, today), checkOut: dayFromNow(3 + nights, today) },
  })
}
const search = (json: unknown, headers: Record<string, string> = {}) =>
  post(fixture.service.url, '/search', { json, headers })
const stateOf = (response: TestResponse) => response.headers.get('x-cache')
const staleness = (response: TestResponse) => [
  ...new Set(pricesOf(response).map((rate) => rate?.['isStale'])),
]
const statusOf = ({ body }: TestResponse, section: string) =>
  (body['sections'] as Record<string, { status: string }>)[section]?.status

async function campaign(enabled: boolean) {
  const { ctx } = fixture.service
  await ctx.cacheRedis.set('bff.consumer.campaign_mode.v1', JSON.stringify({ enabled }))
  await expect.poll(() => ctx.flags.isCampaign()).toBe(enabled)
}

describe('D6 a price older than a minute', () => {
  it('is marked on a page that is cached for five in a campaign, in every encoding', async () => {
    await campaign(true)
    const request = fresh()
    const first = await search(request)
    expect(staleness(first)).toEqual([false])
    clock.advance(59_000)
    expect(staleness(await search(request))).toEqual([false])

    clock.advance(2_000)
    const old = await search(request)
    expect([stateOf(old), staleness(old), old.body['degraded']]).toEqual(['HIT', [true], true])
    expect([statusOf(old, 'prices'), statusOf(old, 'listings')]).toEqual(['stale', 'fresh'])
    expect(old.headers.get('age')).toBe('61')
    expect(old.headers.get('etag')).not.toBe(first.headers.get('etag'))
    for (const encoding of ['br', 'gzip']) {
      await expect
        .poll(async () => {
          const { headers, text } = await search(request, { 'accept-encoding': encoding })
          return [headers.get('content-encoding'), text]
        })
        .toEqual([encoding, old.text])
    }
    expect(fixture.upstreams.requests.filter(({ upstream }) => upstream === 'search')).toHaveLength(
      1,
    )
  })

  it('is marked while it is revalidated in the background', async () => {
    const request = fresh()
    await search(request)
    clock.advance(70_000)
    const old = await search(request)
    expect([stateOf(old), staleness(old)]).toEqual(['STALE', [true]])
    expect(statusOf(old, 'listings')).toBe('stale')
    await expect.poll(async () => staleness(await search(request))).toEqual([false])
  })

  it('is marked when pricing returns an old price', async () => {
    const { upstreams } = fixture
    upstreams.capturedAt = () => new Date(clock.nowMs() - 61_000).toISOString()
    expect(staleness(await search(fresh()))).toEqual([true])
    upstreams.capturedAt = () => clock.now().toISOString()
  })
})

describe('C11 with search down', () => {
  it('cached pages are served for ten minutes, marked as stale, and then an error', async () => {
    const request = fresh()
    await search(request)
    fixture.upstreams.behaviour.search.mode = 'down'
    clock.advance(9 * 60_000)
    const old = await search(request)
    expect([old.status, stateOf(old), staleness(old)]).toEqual([200, 'STALE', [true]])
    clock.advance(3 * 60_000)
    const gone = await search(request)
    expect([gone.status, gone.body['code']]).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
  })
})

describe('C2 a search', () => {
  it('is a new one after an hour', async () => {
    const guest = await createGuest(fixture.service.url)
    const request = fresh()
    const name = async () => (await guest.search(request)).headers.get('x-search-session')
    await expect.poll(name).toMatch(/^srs_/)
    const first = await name()
    clock.advance(59 * 60_000)
    expect(await name()).toBe(first)
    clock.advance(2 * 60_000)
    const second = await name()
    expect(second).not.toBe(first)
    expect(await name()).toBe(second)
  })
})

describe('C1 a session', () => {
  it('extends its thirty days with the first request of a day, and records the time', async () => {
    // The id of a session contains the system time, so the test clock must agree with it first.
    clock.setNow(new Date())
    const guest = await createGuest(fixture.service.url)
    const request = fresh()
    const again = await guest.search(request)
    expect(again.headers.get('set-cookie')).toBeNull()
    clock.advance(24 * 3_600_000)
    const nextDay = await guest.search(fresh())
    expect(nextDay.headers.get('set-cookie')).toContain(guest.cookie)
    expect(nextDay.headers.get('set-cookie')).toContain('Max-Age=2592000')
    const seen = async () => {
      const { body } = await post(fixture.service.url, '/session', {
        headers: { cookie: guest.cookie },
      })
      return body['lastSeenAt']
    }
    expect(await seen()).toBe(clock.now().toISOString())
  })
})

describe('C19 a page by another spelling of a place', () => {
  const place = {
    kind: 'city',
    key: 'kabul',
    name: { default: 'Kabul' },
    country: 'AF',
    geo: { lat: 34.5, lng: 69.2 },
    properties: 12,
    boundingBox: { swLat: 34, swLng: 69, neLat: 35, neLng: 70 },
    search: { geo: { mode: 'city', city: 'kabul' } },
  }

  it('is loaded again after two seconds, because no change of a hotel invalidates it', async () => {
    fixture.upstreams.searchExtra = { place }
    const [own, other] = ['Kabul', 'Caboul'].map((city) => ({
      ...fresh(),
      geo: { mode: 'city', city },
    }))
    for (const request of [own, other]) expect(stateOf(await search(request))).toBe('MISS')
    clock.advance(3_000)
    expect(stateOf(await search(own))).toBe('HIT')
    expect(stateOf(await search(other))).not.toBe('HIT')
  })
})
