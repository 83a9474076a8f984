import { hashedPart } from '@melmastoon/chassis/redis'
import { newId, type RequestId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RecentlyViewedPage } from '../../src/views/recently-viewed.ts'
import { queueView, type ViewSource } from '../../src/views/record-view.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { sessionBy, TEST_CLIENT } from '../harness/guest-sessions.ts'
import {
  disableSampling,
  eventNames,
  finishBackgroundWork,
  publishedEvents,
} from '../harness/published-events.ts'
import {
  cookieOf,
  createGuest,
  type Fixture,
  post,
  type RunningConsumer,
  sessionIdOf,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let sibling: RunningConsumer

beforeAll(async () => {
  fixture = await startFixture()
  sibling = await startConsumer(fixture.environment)
  await disableSampling(fixture)
  await disableSampling({ service: sibling })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const faultsOf = closedCheck(RecentlyViewedPage)
type Guest = Awaited<ReturnType<typeof createGuest>>

interface Item {
  viewedAt: string
  source: string
  card: { propertyId: string; name: { default: string } }
}

async function list(cookie: string, headers: Record<string, string> = {}) {
  const url = new URL('/bff/consumer/v1/recently-viewed', fixture.service.url)
  const response = await fetch(url, { headers: { cookie, ...headers } })
  const body = (await response.json()) as {
    code?: string
    items: Item[]
    sections: Record<string, { status: string }>
  }
  return { status: response.status, headers: response.headers, body }
}

const namesIn = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.items.map(({ card }) => card.name.default)

async function view(guest: Pick<Guest, 'cookie'>, hotel: Hotel, more: object = {}) {
  const json = { path: '/search', propertyId: hotel.propertyId, ...more }
  const { cookie } = guest
  await post(fixture.service.url, '/telemetry/page-view', { json, headers: { cookie } })
  await finishBackgroundWork(fixture)
}

function hotelAt(at: number): Hotel {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new TypeError('unknown hotel')
  return hotel
}

/** The effect of requesting a hotel page with a cookie. */
async function openPage(
  service: RunningConsumer,
  { cookie }: Guest,
  source: ViewSource,
  hotel: Hotel,
) {
  const { ctx } = service
  const session = await sessionBy(service, { cookie })
  const { propertyId, tenantId } = hotel
  queueView(ctx, {
    session,
    client: TEST_CLIENT,
    cause: () => ({
      producerInstance: ctx.config.instance,
      tenantId: null,
      requestId: newId('req') as RequestId,
      traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      occurredAt: ctx.clock.now(),
    }),
    propertyId,
    tenantId,
    source,
  })
}

const viewEventsOf = async (guest: Guest) =>
  (await publishedEvents(fixture, guest.id)).filter(({ subject }) =>
    subject.includes('detail.viewed'),
  )

describe('a hotel view', () => {
  it('counts once, whether the page, its beacon or both report it, at any instance', async () => {
    const guest = await createGuest(fixture.service.url)
    const hotel = hotelAt(0)
    await Promise.all([
      openPage(sibling, guest, 'detail-link', hotel),
      openPage(fixture.service, guest, 'detail-link', hotel),
      view(guest, hotel),
    ])
    await finishBackgroundWork({ service: sibling })
    expect(await viewEventsOf(guest)).toHaveLength(1)
    expect(namesIn(await list(guest.cookie))).toEqual(['Hotel 0'])
  })

  it('of another hotel counts separately, at the same time and instance', async () => {
    const guest = await createGuest(fixture.service.url)
    await Promise.all([
      openPage(sibling, guest, 'detail-link', hotelAt(0)),
      openPage(fixture.service, guest, 'detail-link', hotelAt(1)),
    ])
    await finishBackgroundWork({ service: sibling })
    expect(await viewEventsOf(guest)).toHaveLength(2)
    expect(namesIn(await list(guest.cookie)).sort()).toEqual(['Hotel 0', 'Hotel 1'])
  })

  it('counts again after five minutes', async () => {
    const guest = await createGuest(fixture.service.url)
    const hotel = hotelAt(2)
    await view(guest, hotel)
    const { cacheRedis } = fixture.service.ctx
    const key = `view:${guest.id}:${hotel.propertyId}`
    const name = `bff-consumer-service:v1:once:${hashedPart(key)}`
    const leftMs = await cacheRedis.pttl(name)
    expect(leftMs).toBeGreaterThan(240_000)
    expect(leftMs).toBeLessThanOrEqual(300_000)
    await view(guest, hotel)
    expect(await viewEventsOf(guest)).toHaveLength(1)
    await cacheRedis.del(name)
    await openPage(sibling, guest, 'detail-link', hotel)
    await finishBackgroundWork({ service: sibling })
    expect(await viewEventsOf(guest)).toHaveLength(2)
  })

  it.each([
    ['page', 'beacon'],
    ['beacon', 'page'],
  ])('has the source of the beacon, whichever comes first: %s, then %s', async (first) => {
    const guest = await createGuest(fixture.service.url)
    const hotel = hotelAt(3)
    const page = async () => {
      await openPage(fixture.service, guest, 'detail-link', hotel)
      await finishBackgroundWork(fixture)
    }
    const beacon = () => view(guest, hotel, { source: 'search-map' })
    for (const report of first === 'page' ? [page, beacon] : [beacon, page]) await report()
    const { body } = await list(guest.cookie)
    expect(body.items.map(({ source }) => source)).toEqual(['search-map'])
  })

  it('without consent is stored for the guest and not published', async () => {
    const json = { consent: { telemetry: false } }
    const started = await post(fixture.service.url, '/session', { json })
    const cookie = cookieOf(started)
    await view({ cookie }, hotelAt(0), { source: 'search-list', position: 1 })
    expect(eventNames(await publishedEvents(fixture, sessionIdOf(cookie)))).toEqual([])
    expect(namesIn(await list(cookie))).toEqual(['Hotel 0'])
  })
})

describe('C1 GET /recently-viewed', () => {
  it('lists the viewed hotels, newest first, each once', async () => {
    const guest = await createGuest(fixture.service.url)
    for (const at of [0, 1, 2, 0]) await view(guest, hotelAt(at), { source: 'search-list' })
    const listed = await list(guest.cookie)
    expect(listed.status).toBe(200)
    expect(listed.headers.get('cache-control')).toBe('private, no-store')
    expect(namesIn(listed)).toEqual(['Hotel 0', 'Hotel 2', 'Hotel 1'])
    expect(faultsOf(listed.body)).toEqual([])
    expect(listed.body.sections).toMatchObject({
      listings: { status: 'fresh' },
      brands: { status: 'fresh' },
    })
    const times = listed.body.items.map(({ viewedAt }) => viewedAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('is empty without a session, and starts none', async () => {
    const listed = await list('')
    expect([listed.status, listed.body.items]).toEqual([200, []])
    expect(listed.headers.get('set-cookie')).toBeNull()
  })

  it('omits hotels that are deleted or suspended, until they are back', async () => {
    const guest = await createGuest(fixture.service.url)
    for (const at of [0, 1, 2]) await view(guest, hotelAt(at))
    const { tenantId } = hotelAt(1)
    const decide = (blocked: boolean) =>
      fixture.service.ctx.blocked.decide(tenantId, { blocked, decidedAtMs: Date.now() })
    await decide(true)
    expect(namesIn(await list(guest.cookie))).toEqual(['Hotel 2', 'Hotel 0'])
    await decide(false)
    expect(namesIn(await list(guest.cookie))).toEqual(['Hotel 2', 'Hotel 1', 'Hotel 0'])
  })

  it('calls search only for hotels that are not cached', async () => {
    const guest = await createGuest(fixture.service.url)
    await view(guest, hotelAt(4))
    fixture.upstreams.behaviour.search.mode = 'down'
    expect(namesIn(await list(guest.cookie))).toEqual(['Hotel 4'])
    fixture.upstreams.reset()
  })

  it('is an error, not an empty list, when no hotel can be loaded', async () => {
    const guest = await createGuest(fixture.service.url)
    const hotel = hotelAt(5)
    await view(guest, hotel)
    fixture.upstreams.behaviour.search.mode = 'down'
    await fixture.service.ctx.cache.invalidate([`listing:${hotel.propertyId}`])
    const { status, body } = await list(guest.cookie)
    expect([status, body.code]).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
    fixture.upstreams.reset()
  })
})
