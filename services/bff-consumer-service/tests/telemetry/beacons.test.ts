import { newId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { sessionKeyOf } from '../harness/guest-sessions.ts'
import {
  disableSampling,
  eventNames,
  finishBackgroundWork,
  publishedEvents,
  setSampleRates,
} from '../harness/published-events.ts'
import {
  contracts,
  createGuest,
  type Fixture,
  post,
  type SendOptions,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let hotel: Hotel

beforeAll(async () => {
  fixture = await startFixture()
  await disableSampling(fixture)
})
beforeEach(() => {
  const [first] = fixture.upstreams.hotels
  if (first === undefined) throw new TypeError('no hotels')
  hotel = first
})
afterAll(() => fixture[Symbol.asyncDispose]())

const send = (path: string, options: SendOptions) => post(fixture.service.url, path, options)
const pageView = (json: unknown, headers: Record<string, string> = {}) =>
  send('/telemetry/page-view', { json, headers })
const funnel = (json: unknown, headers: Record<string, string> = {}) =>
  send('/telemetry/funnel', { json, headers })

/** A guest whose session events are ignored. */
async function createTelemetryGuest(headers: Record<string, string> = {}) {
  const guest = await createGuest(fixture.service.url, headers)
  const events = async () =>
    (await publishedEvents(fixture, guest.id)).filter(
      ({ subject }) => !subject.includes('session.started'),
    )
  return { ...guest, headers: { cookie: guest.cookie, ...headers }, events }
}

async function viewedBy(sessionId: string) {
  await finishBackgroundWork(fixture)
  const stored = await fixture.service.ctx.sessionRedis.hget(sessionKeyOf(sessionId), 'd')
  const { recentlyViewed } = JSON.parse(stored ?? '{"recentlyViewed":[]}') as {
    recentlyViewed: { propertyId: string; tenantId: string; viewedAt: string; source: string }[]
  }
  return recentlyViewed
}

const clicks = () =>
  fixture.upstreams.requests.filter(({ path }) => path.endsWith('/search/clicks'))

describe('C8 POST /telemetry/page-view', () => {
  it('publishes a page view with the fields of the domain model', async () => {
    const guest = await createTelemetryGuest({ 'user-agent': 'Mozilla/5.0 of a guest' })
    const pageViewId = newId('mpv')
    const searchSessionId = newId('srs')
    const response = await pageView(
      { pageViewId, path: '/search', searchSessionId, referer: 'https://News.example/a?b=c' },
      guest.headers,
    )
    expect([response.status, response.text]).toEqual([204, ''])
    const [view, ...more] = await guest.events()
    expect(more).toEqual([])
    expect(view?.payload).toEqual({
      pageViewId,
      guestSessionId: guest.id,
      searchSessionId,
      path: '/search',
      viewedAt: expect.any(String),
      refererHost: 'news.example',
      userAgentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      fingerprintHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
    expect(view?.envelope).toMatchObject({ sessionId: guest.id, tenantId: null, userId: null })
  })

  it('of a hotel page publishes and stores a hotel view with the tenant of the hotel', async () => {
    const guest = await createTelemetryGuest()
    await pageView({ path: `/en/hotels/${hotel.propertyId}` }, guest.headers)
    const { propertyId, tenantId } = hotel
    const events = await guest.events()
    expect(eventNames(events)).toEqual(['page_view.recorded.v1', 'detail.viewed.v1'])
    for (const { payload } of events) expect(payload).toMatchObject({ propertyId, tenantId })
    expect(events[1]?.payload).toMatchObject({ source: 'detail-link' })
    expect(await viewedBy(guest.id)).toMatchObject([
      { propertyId, tenantId, source: 'detail-link' },
    ])
  })

  it('with a search result publishes a click and reports it to search without the guest', async () => {
    const guest = await createTelemetryGuest()
    const { propertyId, tenantId } = hotel
    const searchSessionId = newId('srs')
    const before = clicks().length
    await pageView(
      { path: '/search', propertyId, searchSessionId, source: 'search-list', position: 3 },
      guest.headers,
    )
    const events = await guest.events()
    expect(eventNames(events)).toEqual([
      'page_view.recorded.v1',
      'click.recorded.v1',
      'detail.viewed.v1',
    ])
    const place = { propertyId, tenantId, searchSessionId, source: 'search-list' }
    expect(events[1]?.payload).toMatchObject({ ...place, position: 3 })
    await expect.poll(() => clicks().length).toBe(before + 1)
    const forwarded = clicks().at(-1)
    expect(forwarded?.body).toEqual({ propertyId, position: 3 })
    expect(forwarded?.headers['idempotency-key']).toMatch(/^click-[0-9a-f]{64}$/)
    expect(JSON.stringify(forwarded)).not.toContain(guest.id)
  })

  it('sent twice is one view, one click and one request to search', async () => {
    const guest = await createTelemetryGuest()
    const { propertyId } = hotel
    const pageViewId = newId('mpv')
    const before = clicks().length
    const json = { pageViewId, path: '/search', propertyId, source: 'search-map', position: 0 }
    await Promise.all([pageView(json, guest.headers), pageView(json, guest.headers)])
    await pageView(json, guest.headers)
    expect(eventNames(await guest.events())).toEqual([
      'page_view.recorded.v1',
      'click.recorded.v1',
      'detail.viewed.v1',
    ])
    expect(clicks().length).toBe(before + 1)
  })

  it('with repeated clicks reports each hotel to search once', async () => {
    const guest = await createTelemetryGuest()
    const before = clicks().length
    for (const { propertyId } of [hotel, hotel, ...fixture.upstreams.hotels.slice(1, 2), hotel]) {
      await pageView(
        { path: '/search', propertyId, source: 'search-list', position: 0 },
        guest.headers,
      )
    }
    const events = eventNames(await guest.events()).filter((name) => name === 'click.recorded.v1')
    expect(events).toHaveLength(4)
    expect(clicks().length).toBe(before + 2)
  })

  it('sent twice with two ids is two page views and one hotel view', async () => {
    const guest = await createTelemetryGuest()
    const path = `/hotels/${hotel.propertyId}`
    for (let times = 0; times < 2; times += 1) {
      await pageView({ pageViewId: newId('mpv'), path }, guest.headers)
    }
    expect(eventNames(await guest.events()).sort()).toEqual([
      'detail.viewed.v1',
      'page_view.recorded.v1',
      'page_view.recorded.v1',
    ])
  })

  it.each([
    ['is unknown', () => newId('ppt')],
    ['is suspended', () => hotel.propertyId],
  ])('of a hotel that %s is published without the hotel', async (_why, propertyIdOf) => {
    const guest = await createTelemetryGuest()
    const propertyId = propertyIdOf()
    const decide = (blocked: boolean) =>
      fixture.service.ctx.blocked.decide(hotel.tenantId, { blocked, decidedAtMs: Date.now() })
    if (propertyId === hotel.propertyId) await decide(true)
    const json = { path: '/search', propertyId, source: 'search-list', position: 1 }
    await pageView(json, guest.headers)
    const events = await guest.events()
    expect(eventNames(events)).toEqual(['page_view.recorded.v1'])
    expect(JSON.stringify(events)).not.toContain(propertyId)
    expect(await viewedBy(guest.id)).toEqual([])
    await decide(false)
  })

  it('is published without the hotel while search is down', async () => {
    const guest = await createTelemetryGuest()
    const cold = fixture.upstreams.hotels.at(-1)
    fixture.upstreams.behaviour.search.mode = 'down'
    const response = await pageView({ path: `/hotels/${cold?.propertyId}` }, guest.headers)
    expect(response.status).toBe(204)
    expect(eventNames(await guest.events())).toEqual(['page_view.recorded.v1'])
    fixture.upstreams.reset()
  })

  it.each([
    [{ path: '/search?q=1' }, '/path'],
    [{ path: '/my/diary' }, '/path'],
    [{}, '/path'],
    [{ path: '/search', position: 1 }, '/propertyId'],
    [{ path: '/search', tenantId: newId('tnt') }, '/tenantId'],
    [{ path: '/search', pageViewId: 'mpv_1' }, '/pageViewId'],
    [{ path: `/hotels/${newId('ppt')}`, propertyId: newId('ppt') }, '/propertyId'],
    [{ path: '/search', viewedAt: 'yesterday' }, '/viewedAt'],
  ])('rejects %j with a pointer', async (json, pointer) => {
    const { status, body } = await pageView(json)
    expect([status, body['code']]).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(body['errors']).toContainEqual(expect.objectContaining({ pointer }))
  })

  it.each([
    ['no cookie', {}],
    ['an unknown cookie', { cookie: `__Host-gms_id=${newId('gms')}.s1.${'A'.repeat(43)}` }],
  ])('with %s is accepted and discarded, and starts no session', async (_what, headers) => {
    const rows = async () =>
      await fixture.environment.query(
        'select event_id from bff_consumer.outbox union all select event_id from bff_consumer.outbox_published',
      )
    await finishBackgroundWork(fixture)
    const before = (await rows()).length
    const json = { path: `/hotels/${hotel.propertyId}` }
    const responses = [await pageView(json, headers), await funnel({ step: 'map.opened' }, headers)]
    for (const { status, headers: received } of responses) {
      expect([status, received.get('set-cookie')]).toEqual([204, null])
    }
    await finishBackgroundWork(fixture)
    expect((await rows()).length).toBe(before)
  })

  it.each([
    ['text/plain;charset=UTF-8', {}, 415],
    ['application/json', { 'sec-fetch-site': 'cross-site' }, 403],
    ['application/json', { 'sec-fetch-site': 'same-site' }, 403],
    ['application/json', { 'sec-fetch-site': 'same-origin' }, 204],
  ])('as navigator.sendBeacon sends %s with %j: %i', async (type, headers, status) => {
    const raw = JSON.stringify({ path: '/search' })
    const response = await send('/telemetry/page-view', {
      raw,
      headers: { 'content-type': type, ...headers },
    })
    expect(response.status).toBe(status)
  })
})

describe('C8 POST /telemetry/funnel', () => {
  it('publishes a step that only a browser observes', async () => {
    const guest = await createTelemetryGuest()
    const searchSessionId = newId('srs')
    const metadata = { position: 12, deviceClass: 'phone' }
    const step = 'list.scrolled-50pct'
    const { propertyId, tenantId } = hotel
    const json = { step, propertyId, searchSessionId, metadata }
    expect((await funnel(json, guest.headers)).status).toBe(204)
    const events = await guest.events()
    expect(events.map(({ payload }) => payload)).toEqual([
      {
        funnelEventId: expect.stringMatching(/^cfe_/),
        guestSessionId: guest.id,
        step,
        propertyId,
        tenantId,
        searchSessionId,
        metadata,
        occurredAt: expect.any(String),
      },
    ])
  })

  it('publishes a step of one search once per interval', async () => {
    const guest = await createTelemetryGuest()
    const one = { step: 'list.scrolled-90pct', searchSessionId: newId('srs') }
    const other = { ...one, searchSessionId: newId('srs') }
    for (const json of [one, one, other, one]) await funnel(json, guest.headers)
    expect((await guest.events()).map(({ payload }) => payload['searchSessionId'])).toEqual([
      one.searchSessionId,
      other.searchSessionId,
    ])
  })

  it.each(['session.started', 'search.executed', 'detail.viewed', 'wishlist.added'])(
    'rejects %s, which the service publishes itself',
    async (step) => {
      const { status, body } = await funnel({ step })
      expect(status).toBe(400)
      expect(body['errors']).toContainEqual(expect.objectContaining({ pointer: '/step' }))
    },
  )

  it.each([
    [{ note: 'call me' }, '/metadata/note'],
    [{ position: 'third' }, '/metadata/position'],
  ])('rejects the additional field %j', async (metadata, pointer) => {
    const { status, body } = await funnel({ step: 'map.opened', metadata })
    expect(status).toBe(400)
    expect(body['errors']).toContainEqual(expect.objectContaining({ pointer }))
  })
})

describe('per guest', () => {
  it('is in the order of the requests, although the first required a lookup', async () => {
    const guest = await createTelemetryGuest()
    const cold = fixture.upstreams.hotels.at(-2)
    fixture.upstreams.behaviour.search.delayMs = 400
    await pageView({ path: `/hotels/${cold?.propertyId}` }, guest.headers)
    await funnel({ step: 'map.opened' }, guest.headers)
    fixture.upstreams.reset()
    expect(eventNames(await guest.events())).toEqual([
      'page_view.recorded.v1',
      'detail.viewed.v1',
      'funnel_step.recorded.v1',
    ])
  })

  it('is sampled by the flags, always for the same guests', async () => {
    const { ctx } = fixture.service
    await setSampleRates(ctx, { 'melmastoon.bff.consumer.page_view.recorded.v1': 0 })
    const guest = await createTelemetryGuest()
    await pageView({ path: '/search' }, guest.headers)
    expect(await guest.events()).toEqual([])
    await disableSampling(fixture)
    await pageView({ path: '/search' }, guest.headers)
    expect(await guest.events()).toMatchObject([{ envelope: { samplingRate: 1 } }])
  })

  it('matches its contract', async () => {
    await finishBackgroundWork(fixture)
    await expectValidEvents(fixture.environment.adminUrl, contracts)
  })
})
