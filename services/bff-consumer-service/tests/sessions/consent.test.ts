import { latch } from '@melmastoon/testkit'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { presented } from '../harness/guest-sessions.ts'
import {
  disableSampling,
  eventNames,
  finishBackgroundWork,
  publishedEvents,
} from '../harness/published-events.ts'
import { type SessionClient, startSessionClient } from '../harness/session-client.ts'
import {
  type Fixture,
  post,
  type RunningConsumer,
  searchRequest,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let other: RunningConsumer

beforeAll(async () => {
  fixture = await startFixture({ sessionLives: { memoryMs: 60_000 } })
  other = await startConsumer(fixture.environment, { sessionLives: { memoryMs: 60_000 } })
  await disableSampling(fixture)
  await disableSampling({ service: other })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const startSession = (headers: Record<string, string> = {}, json: unknown = {}) =>
  startSessionClient(fixture.service.url, headers, json)

let requestNumber = 0
/** A different search on every call: repeated ones are not published again. */
const anything = () => {
  requestNumber += 1
  return searchRequest({
    occupancy: { adults: 1 + (requestNumber % 30), rooms: 1 + (requestNumber % 7) },
  })
}

async function eventsOf(id: string): Promise<string[]> {
  await finishBackgroundWork({ service: other })
  return eventNames(await publishedEvents(fixture, id))
}

describe('D34 where consent is opt-in', () => {
  it('nothing is published until the guest consents', async () => {
    const env = { ...fixture.environment.env, TELEMETRY_CONSENT: 'opt-in' }
    await using strict = await startConsumer({ env })
    await disableSampling({ service: strict })
    const guest = await startSessionClient(strict.url)
    const published = async () => {
      await finishBackgroundWork({ service: strict })
      return eventNames(await publishedEvents(fixture, guest.id))
    }
    expect((await guest.getSession(strict.url)).body['flags']).toMatchObject({
      consentTelemetry: false,
    })
    await guest.search(anything())
    expect(await published()).toEqual([])
    await guest.change('consent', { telemetry: true })
    await guest.search(anything())
    expect(await published()).toContain('search.executed.v1')
  })
})

describe('D13 consent', () => {
  it('is changed per field: omitted fields stay', async () => {
    const guest = await startSession()
    const flags = async (to: unknown) => (await guest.change('consent', to)).body['flags']
    const both = { consentTelemetry: true, consentMarketing: true }
    expect(await flags({ marketing: true })).toEqual(both)
    expect(await flags({ telemetry: false })).toEqual({ ...both, consentTelemetry: false })
    expect(await flags({ telemetry: true, marketing: false })).toEqual({
      consentTelemetry: true,
      consentMarketing: false,
    })
    expect((await guest.getSession()).body['flags']).toEqual({
      consentTelemetry: true,
      consentMarketing: false,
    })
  })

  it('cannot be given by a browser that sends DNT or GPC', async () => {
    const guest = await startSession()
    const { body } = await guest.change('consent', { telemetry: true }, { dnt: '1' })
    expect(body['flags']).toMatchObject({ consentTelemetry: false })
  })
})

describe('C8 consent withdrawn', () => {
  it('stops every process at once, also one that has the session cached', async () => {
    const guest = await startSession()
    for (const at of [fixture.service.url, other.url]) await guest.search(anything(), at)
    const before = ['session.started.v1', 'search.executed.v1', 'search.executed.v1']
    expect(await eventsOf(guest.id)).toEqual(before)
    await loadIntoCache(other, guest)
    await guest.change('consent', { telemetry: false })
    await expect
      .poll(() => other.ctx.sessions.loadNow(presented(other, guest.cookieValue)))
      .toBeNull()
    for (const at of [fixture.service.url, other.url]) {
      await guest.search(anything(), at)
      await guest.change('locale', { locale: at === other.url ? 'ps-AF' : 'fa-AF' }, {}, at)
    }
    expect(await eventsOf(guest.id)).toEqual(before)
    await guest.change('consent', { telemetry: true }, {}, other.url)
    await expect
      .poll(() =>
        fixture.service.ctx.sessions.loadNow(presented(fixture.service, guest.cookieValue)),
      )
      .toBeNull()
    await guest.search(anything())
    expect(await eventsOf(guest.id)).toEqual([...before, 'search.executed.v1'])
  })

  it('control: a process without the notification continues to publish', async () => {
    await using deaf = await startConsumer(fixture.environment, {
      sessionLives: { memoryMs: 60_000 },
    })
    await disableSampling({ service: deaf })
    const guest = await startSession()
    await guest.search(anything(), deaf.url)
    await finishBackgroundWork({ service: deaf })
    await loadIntoCache(deaf, guest)
    const known = deaf.ctx.sessions.loadNow(presented(deaf, guest.cookieValue))
    deaf.ctx.sessions.loadNow = () => known
    await guest.change('consent', { telemetry: false })
    await guest.search(anything(), deaf.url)
    await finishBackgroundWork({ service: deaf })
    const executed = (await eventsOf(guest.id)).filter((name) => name === 'search.executed.v1')
    expect(executed).toHaveLength(2)
  })

  it.each([
    ['withdraws consent', (guest: SessionClient) => guest.change('consent', { telemetry: false })],
    ['clears the session', (guest: SessionClient) => guest.clear()],
  ])(
    'discards events that are being prepared, in every process, when the guest %s',
    async (_how, end) => {
      const guest = await startSession()
      const before = await eventsOf(guest.id)
      const hotel = fixture.upstreams.hotels[0]?.propertyId
      await other.ctx.cache.invalidate([`listing:${hotel}`])
      const isRequested = latch()
      const responses = latch()
      const { search } = other.ctx.upstreams
      const { listings } = search
      const slowly = vi.spyOn(search, 'listings').mockImplementation(async (input, call) => {
        isRequested.open()
        await responses.promise
        return await listings(input, call)
      })
      const sendBeacon = (path: string, json: unknown) =>
        post(other.url, `/telemetry/${path}`, { json, headers: { cookie: guest.cookie } })
      await sendBeacon('page-view', {
        path: '/',
        propertyId: hotel,
        source: 'search-list',
        position: 1,
      })
      await sendBeacon('funnel', { step: 'map.opened', propertyId: hotel })
      await isRequested.promise
      await end(guest)
      const clicks = () =>
        fixture.upstreams.requests.filter(({ path }) => path.endsWith('/clicks')).length
      const clicksBefore = clicks()
      responses.open()
      expect(await eventsOf(guest.id)).toEqual(before)
      expect(clicks()).toBe(clicksBefore)
      slowly.mockRestore()
    },
  )

  const proceed = (guest: SessionClient, json: unknown, more: Record<string, string> = {}) =>
    post(fixture.service.url, '/session', { json, headers: { cookie: guest.cookie, ...more } })

  it.each([
    [
      'by the consent route',
      (guest: SessionClient) => guest.change('consent', { telemetry: false }),
    ],
    [
      'when a session is continued',
      (guest: SessionClient) => proceed(guest, { consent: { telemetry: false } }),
    ],
    [
      'when the browser starts to send GPC',
      (guest: SessionClient) => proceed(guest, {}, { dnt: '1' }),
    ],
  ])('discards events that are not written yet, %s', async (_how, withdraw) => {
    const [guest, neighbour] = [await startSession(), await startSession()]
    await finishBackgroundWork(fixture)
    const outbox = await holdOutbox()
    await neighbour.search(anything())
    await outbox.isWaitedFor()
    for (const one of [guest, neighbour]) await one.search(anything())
    await withdraw(guest)
    await outbox.release()
    expect(await eventsOf(guest.id)).toEqual(['session.started.v1'])
    const expected = ['session.started.v1', 'search.executed.v1', 'search.executed.v1']
    expect(await eventsOf(neighbour.id)).toEqual(expected)
  })
})

/** No event can be written until the lock is released. */
async function holdOutbox() {
  const client = new Client({ connectionString: fixture.environment.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table bff_consumer.outbox in access exclusive mode')
  const waiting = `select from pg_locks where not granted
    and relation = 'bff_consumer.outbox'::regclass and database =
      (select oid from pg_database where datname = current_database())`
  return {
    async isWaitedFor() {
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0)
    },
    async release() {
      await client.query('commit')
      await client.end()
    },
  }
}

/** The process has loaded the session since its last change. */
async function loadIntoCache({ ctx, url }: RunningConsumer, guest: SessionClient): Promise<void> {
  await guest.getSession(url)
  expect(ctx.sessions.loadNow(presented({ ctx }, guest.cookieValue))).not.toBeNull()
}
