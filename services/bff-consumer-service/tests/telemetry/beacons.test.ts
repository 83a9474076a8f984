import { newId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { sessionKeyOf } from '../harness/guest-sessions.ts'
import { namesOf, setRates, settle, tellAll, toldOf } from '../harness/published-events.ts'
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
  await tellAll(fixture)
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

/** A guest whose beginning is not of interest. */
async function aGuest(headers: Record<string, string> = {}) {
  const guest = await createGuest(fixture.service.url, headers)
  const told = async () =>
    (await toldOf(fixture, guest.id)).filter(({ subject }) => !subject.includes('session.started'))
  return { ...guest, headers: { cookie: guest.cookie, ...headers }, told }
}

async function viewedBy(sessionId: string) {
  await settle(fixture)
  const stored = await fixture.service.ctx.sessionRedis.hget(sessionKeyOf(sessionId), 'd')
  const { recentlyViewed } = JSON.parse(stored ?? '{"recentlyViewed":[]}') as {
    recentlyViewed: { propertyId: string; tenantId: string; viewedAt: string; source: string }[]
  }
  return recentlyViewed
}

const clicks = () => fixture.upstreams.asked.filter(({ path }) => path.endsWith('/search/clicks'))

describe('C8 POST /telemetry/page-view', () => {
  it('tells of a page in the words of the domain model', async () => {
    const guest = await aGuest({ 'user-agent': 'Mozilla/5.0 of a guest' })
    const pageViewId = newId('mpv')
    const searchSessionId = newId('srs')
    const answer = await pageView(
      { pageViewId, path: '/search', searchSessionId, referer: 'https://News.example/a?b=c' },
      guest.headers,
    )
    expect([answer.status, answer.text]).toEqual([204, ''])
    const [view, ...more] = await guest.told()
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

  it('of a hotel is a look at it, and names its tenant, whoever sends it', async () => {
    const guest = await aGuest()
    await pageView({ path: `/en/hotels/${hotel.propertyId}` }, guest.headers)
    const { propertyId, tenantId } = hotel
    const told = await guest.told()
    expect(namesOf(told)).toEqual(['page_view.recorded.v1', 'detail.viewed.v1'])
    for (const { payload } of told) expect(payload).toMatchObject({ propertyId, tenantId })
    expect(told[1]?.payload).toMatchObject({ source: 'detail-link' })
    expect(await viewedBy(guest.id)).toMatchObject([
      { propertyId, tenantId, source: 'detail-link' },
    ])
  })

  it('out of a result is a click, and makes the hotel popular without telling whose', async () => {
    const guest = await aGuest()
    const { propertyId, tenantId } = hotel
    const searchSessionId = newId('srs')
    const before = clicks().length
    await pageView(
      { path: '/search', propertyId, searchSessionId, source: 'search-list', position: 3 },
      guest.headers,
    )
    const told = await guest.told()
    expect(namesOf(told)).toEqual([
      'page_view.recorded.v1',
      'click.recorded.v1',
      'detail.viewed.v1',
    ])
    const place = { propertyId, tenantId, searchSessionId, source: 'search-list' }
    expect(told[1]?.payload).toMatchObject({ ...place, position: 3 })
    await expect.poll(() => clicks().length).toBe(before + 1)
    const forwarded = clicks().at(-1)
    expect(forwarded?.body).toEqual({ propertyId, position: 3 })
    expect(forwarded?.headers['idempotency-key']).toMatch(/^click-[0-9a-f]{64}$/)
    expect(JSON.stringify(forwarded)).not.toContain(guest.id)
  })

  it('sent twice is one view, one click and one word to search', async () => {
    const guest = await aGuest()
    const { propertyId } = hotel
    const pageViewId = newId('mpv')
    const before = clicks().length
    const json = { pageViewId, path: '/search', propertyId, source: 'search-map', position: 0 }
    await Promise.all([pageView(json, guest.headers), pageView(json, guest.headers)])
    await pageView(json, guest.headers)
    expect(namesOf(await guest.told())).toEqual([
      'page_view.recorded.v1',
      'click.recorded.v1',
      'detail.viewed.v1',
    ])
    expect(clicks().length).toBe(before + 1)
  })

  it('clicked again and again makes a hotel no more popular', async () => {
    const guest = await aGuest()
    const before = clicks().length
    for (const { propertyId } of [hotel, hotel, ...fixture.upstreams.hotels.slice(1, 2), hotel]) {
      await pageView(
        { path: '/search', propertyId, source: 'search-list', position: 0 },
        guest.headers,
      )
    }
    const told = namesOf(await guest.told()).filter((name) => name === 'click.recorded.v1')
    expect(told).toHaveLength(4)
    expect(clicks().length).toBe(before + 2)
  })

  it('sent twice under two names is two views, and still one look', async () => {
    const guest = await aGuest()
    const path = `/hotels/${hotel.propertyId}`
    for (let times = 0; times < 2; times += 1) {
      await pageView({ pageViewId: newId('mpv'), path }, guest.headers)
    }
    expect(namesOf(await guest.told()).sort()).toEqual([
      'detail.viewed.v1',
      'page_view.recorded.v1',
      'page_view.recorded.v1',
    ])
  })

  it.each([
    ['nobody has', () => newId('ppt')],
    ['is suspended', () => hotel.propertyId],
  ])('of a hotel that %s is told without it', async (_why, propertyIdOf) => {
    const guest = await aGuest()
    const propertyId = propertyIdOf()
    const decide = (blocked: boolean) =>
      fixture.service.ctx.blocked.decide(hotel.tenantId, { blocked, decidedAtMs: Date.now() })
    if (propertyId === hotel.propertyId) await decide(true)
    const json = { path: '/search', propertyId, source: 'search-list', position: 1 }
    await pageView(json, guest.headers)
    const told = await guest.told()
    expect(namesOf(told)).toEqual(['page_view.recorded.v1'])
    expect(JSON.stringify(told)).not.toContain(propertyId)
    expect(await viewedBy(guest.id)).toEqual([])
    await decide(false)
  })

  it('is told without the hotel while search is away', async () => {
    const guest = await aGuest()
    const cold = fixture.upstreams.hotels.at(-1)
    fixture.upstreams.behaviour.search.mood = 'down'
    const answer = await pageView({ path: `/hotels/${cold?.propertyId}` }, guest.headers)
    expect(answer.status).toBe(204)
    expect(namesOf(await guest.told())).toEqual(['page_view.recorded.v1'])
    fixture.upstreams.mend()
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
  ])('refuses %j and says where', async (json, pointer) => {
    const { status, body } = await pageView(json)
    expect([status, body['code']]).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(body['errors']).toContainEqual(expect.objectContaining({ pointer }))
  })

  it.each([
    ['no cookie', {}],
    ['a cookie of nobody', { cookie: `__Host-gms_id=${newId('gms')}.s1.${'A'.repeat(43)}` }],
  ])('with %s is taken and dropped, and begins no session', async (_what, headers) => {
    const rows = async () =>
      await fixture.environment.query(
        'select event_id from bff_consumer.outbox union all select event_id from bff_consumer.outbox_published',
      )
    await settle(fixture)
    const before = (await rows()).length
    const json = { path: `/hotels/${hotel.propertyId}` }
    const answers = [await pageView(json, headers), await funnel({ step: 'map.opened' }, headers)]
    for (const { status, headers: answered } of answers) {
      expect([status, answered.get('set-cookie')]).toEqual([204, null])
    }
    await settle(fixture)
    expect((await rows()).length).toBe(before)
  })

  it.each([
    ['text/plain;charset=UTF-8', {}, 415],
    ['application/json', { 'sec-fetch-site': 'cross-site' }, 403],
    ['application/json', { 'sec-fetch-site': 'same-site' }, 403],
    ['application/json', { 'sec-fetch-site': 'same-origin' }, 204],
  ])('as navigator.sendBeacon sends %s with %j: %i', async (type, headers, status) => {
    const raw = JSON.stringify({ path: '/search' })
    const answer = await send('/telemetry/page-view', {
      raw,
      headers: { 'content-type': type, ...headers },
    })
    expect(answer.status).toBe(status)
  })
})

describe('C8 POST /telemetry/funnel', () => {
  it('tells of a step that only a browser sees', async () => {
    const guest = await aGuest()
    const searchSessionId = newId('srs')
    const metadata = { position: 12, deviceClass: 'phone' }
    const step = 'list.scrolled-50pct'
    const { propertyId, tenantId } = hotel
    const json = { step, propertyId, searchSessionId, metadata }
    expect((await funnel(json, guest.headers)).status).toBe(204)
    const told = await guest.told()
    expect(told.map(({ payload }) => payload)).toEqual([
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

  it('counts a step of one search once in a while', async () => {
    const guest = await aGuest()
    const one = { step: 'list.scrolled-90pct', searchSessionId: newId('srs') }
    const other = { ...one, searchSessionId: newId('srs') }
    for (const json of [one, one, other, one]) await funnel(json, guest.headers)
    expect((await guest.told()).map(({ payload }) => payload['searchSessionId'])).toEqual([
      one.searchSessionId,
      other.searchSessionId,
    ])
  })

  it.each(['session.started', 'search.executed', 'detail.viewed', 'wishlist.added'])(
    'refuses %s, which the service tells itself',
    async (step) => {
      const { status, body } = await funnel({ step })
      expect(status).toBe(400)
      expect(body['errors']).toContainEqual(expect.objectContaining({ pointer: '/step' }))
    },
  )

  it.each([
    [{ note: 'call me' }, '/metadata/note'],
    [{ position: 'third' }, '/metadata/position'],
  ])('refuses %j beside it', async (metadata, pointer) => {
    const { status, body } = await funnel({ step: 'map.opened', metadata })
    expect(status).toBe(400)
    expect(body['errors']).toContainEqual(expect.objectContaining({ pointer }))
  })
})

describe('per guest', () => {
  it('is in the order she caused, although the first had to be looked up', async () => {
    const guest = await aGuest()
    const cold = fixture.upstreams.hotels.at(-2)
    fixture.upstreams.behaviour.search.delayMs = 400
    await pageView({ path: `/hotels/${cold?.propertyId}` }, guest.headers)
    await funnel({ step: 'map.opened' }, guest.headers)
    fixture.upstreams.mend()
    expect(namesOf(await guest.told())).toEqual([
      'page_view.recorded.v1',
      'detail.viewed.v1',
      'funnel_step.recorded.v1',
    ])
  })

  it('is thinned out by the flags, the same guests always', async () => {
    const { ctx } = fixture.service
    await setRates(ctx, { 'melmastoon.bff.consumer.page_view.recorded.v1': 0 })
    const guest = await aGuest()
    await pageView({ path: '/search' }, guest.headers)
    expect(await guest.told()).toEqual([])
    await tellAll(fixture)
    await pageView({ path: '/search' }, guest.headers)
    expect(await guest.told()).toMatchObject([{ envelope: { samplingRate: 1 } }])
  })

  it('keeps its contract', async () => {
    await settle(fixture)
    await expectValidEvents(fixture.environment.adminUrl, contracts)
  })
})
