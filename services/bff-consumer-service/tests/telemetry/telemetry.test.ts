import { createRedisStreamsBus } from '@melmastoon/chassis/bus'
import { createRedis } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchExecuted } from '../../src/events/search-events.ts'
import { sessionStarted } from '../../src/events/session-events.ts'
import {
  type PublishedEvent,
  publishedEvents,
  setSampleRates,
} from '../harness/published-events.ts'
import {
  createGuest,
  type Fixture,
  post,
  searchRequest,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await setSampleRates(fixture.service.ctx, { [searchExecuted.subject]: 1 })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const eventsOf = (sessionId: string) => publishedEvents(fixture, sessionId)

async function counted(metric: string, subject: string): Promise<number> {
  const text = await fixture.service.ctx.metrics.render()
  const line = text.split('\n').find((each) => each.startsWith(`${metric}{subject="${subject}"}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('C8 telemetry', () => {
  it('publishes sessions and searches on the bus, with their cause', async () => {
    const received: PublishedEvent[] = []
    const redis = createRedis(fixture.environment.redis.sessionUrl, {
      name: 'test',
      onError: () => {},
    })
    const bus = createRedisStreamsBus({ redis })
    await bus.subscribe(
      {
        subscription: 'analytics',
        subjects: [sessionStarted.subject, searchExecuted.subject],
        onError: () => undefined,
      },
      async ({ body }) => void received.push(JSON.parse(body) as PublishedEvent),
    )
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const guest = await createGuest(fixture.service.url, { 'x-campaign-source': 'radio' })
    const filters = { amenities: ['wifi'], guestRatingMin: 7 }
    const requestId = newId('req')
    await guest.search(searchRequest({ filters }), {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'x-request-id': requestId,
    })
    const own = () => received.filter(({ payload }) => payload['guestSessionId'] === guest.id)
    await expect.poll(() => own().length, { timeout: 5_000 }).toBe(2)
    const [started, executed] = own()
    expect(started).toMatchObject({
      payload: {
        locale: 'en',
        currency: 'AFN',
        ipHash: expect.stringMatching(/^sha256:/),
        consentMarketing: false,
      },
      envelope: {
        sessionId: guest.id,
        tenantId: null,
        marketingAttribution: { source: 'radio' },
        retentionClass: 'operational',
      },
    })
    expect(executed).toMatchObject({
      payload: {
        searchSessionId: expect.stringMatching(/^srs_/),
        kind: 'list',
        geoMode: 'city',
        nights: 2,
        leadDays: 7,
        adults: 2,
        filters: ['amenities', 'guestRatingMin'],
        sortKey: 'recommended',
        isFirstPage: true,
        resultCount: 12,
        itemCount: 12,
        pricedCount: 12,
        cache: 'miss',
      },
      envelope: { requestId, traceId: expect.stringContaining(traceId), samplingRate: 1 },
    })
    await bus[Symbol.asyncDispose]()
    redis.disconnect()
  })

  it('publishes the device class and not the screen size', async () => {
    const json = { device: { screen: '412x915', timeZone: 'Asia/Kabul' } }
    const { body } = await post(fixture.service.url, '/session', { json })
    const [started] = await eventsOf(String(body['id']))
    expect(started?.payload).toMatchObject({ deviceClass: 'phone' })
    expect(JSON.stringify(started)).not.toContain('412x915')
  })

  it.each([
    ['DNT', { dnt: '1' }, {}],
    ['GPC', { 'sec-gpc': '1' }, {}],
    ['declined consent', {}, { consent: { telemetry: false } }],
  ])('is not written under %s', async (_why, headers, json) => {
    const { body, headers: received } = await post(fixture.service.url, '/session', {
      json,
      headers,
    })
    const cookie = received.get('set-cookie')?.split(';')[0] ?? ''
    await post(fixture.service.url, '/search', { json: searchRequest(), headers: { cookie } })
    expect(await eventsOf(String(body['id']))).toEqual([])
  })

  it('stops with the first request that has DNT or GPC', async () => {
    const guest = await createGuest(fixture.service.url)
    await guest.search(searchRequest(), { dnt: '1' })
    const subjects = (await eventsOf(guest.id)).map(({ subject }) => subject)
    expect(subjects).toEqual([sessionStarted.subject])
  })

  it('publishes a search page once per interval, however often it is loaded', async () => {
    const guest = await createGuest(fixture.service.url)
    const request = searchRequest({ pageSize: 5 })
    for (let times = 0; times < 3; times += 1) await guest.search(request)
    await guest.search({ ...request, cursor: '5' })
    const searches = (await eventsOf(guest.id)).filter(
      ({ subject }) => subject === searchExecuted.subject,
    )
    expect(
      await counted('bff_consumer_telemetry_events_total', searchExecuted.subject),
    ).toBeGreaterThan(1)
    const firsts = searches.filter(({ payload }) => payload['isFirstPage'])
    expect([searches.length, firsts.length]).toEqual([2, 1])
  })

  it('does not affect responses when an event violates its contract, and counts it', async () => {
    const { subject } = searchExecuted
    const counterBefore = await counted('bff_consumer_telemetry_events_total', subject)
    const rejected = await counted('bff_consumer_telemetry_refused_total', subject)
    fixture.upstreams.searchExtra = { total: 5_000_000 }
    const guest = await createGuest(fixture.service.url)
    const response = await guest.search(searchRequest({ occupancy: { adults: 9 } }))
    fixture.upstreams.reset()
    expect([response.status, response.body['total']]).toEqual([200, 5_000_000])
    const subjects = (await eventsOf(guest.id)).map(({ subject }) => subject)
    expect(subjects).toEqual([sessionStarted.subject])
    expect(await counted('bff_consumer_telemetry_events_total', subject)).toBe(counterBefore)
    expect(await counted('bff_consumer_telemetry_refused_total', subject)).toBe(rejected + 1)
  })

  it('is sampled per guest, all searches or none', async () => {
    const { ctx } = fixture.service
    const sampled = Array.from({ length: 400 }, () => newId('gms')).filter((id) =>
      ctx.registry.sampled(searchExecuted.subject, {}, id),
    )
    expect(sampled.length).toBeGreaterThan(60)
    expect(sampled.length).toBeLessThan(140)
  })
})
