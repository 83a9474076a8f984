import { latch } from '@melmastoon/testkit'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { presented } from '../harness/guest-sessions.ts'
import { namesOf, settle, tellAll, toldOf } from '../harness/published-events.ts'
import { meetOwner, type Owner } from '../harness/session-client.ts'
import {
  aSearch,
  type Fixture,
  post,
  type Running,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let other: Running

beforeAll(async () => {
  fixture = await startFixture({ sessionLives: { memoryMs: 60_000 } })
  other = await startConsumer(fixture.environment, { sessionLives: { memoryMs: 60_000 } })
  await tellAll(fixture)
  await tellAll({ service: other })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const meet = (headers: Record<string, string> = {}, json: unknown = {}) =>
  meetOwner(fixture.service.url, headers, json)

let asked = 0
/** Never the same twice: what is repeated within moments is not told of. */
const anything = () => {
  asked += 1
  return aSearch({ occupancy: { adults: 1 + (asked % 30), rooms: 1 + (asked % 7) } })
}

async function told(id: string): Promise<string[]> {
  await settle({ service: other })
  return namesOf(await toldOf(fixture, id))
}

describe('D13 consent', () => {
  it('is changed one by one: what is not said stays', async () => {
    const guest = await meet()
    const flags = async (to: unknown) => (await guest.set('consent', to)).body['flags']
    const both = { consentTelemetry: true, consentMarketing: true }
    expect(await flags({ marketing: true })).toEqual(both)
    expect(await flags({ telemetry: false })).toEqual({ ...both, consentTelemetry: false })
    expect(await flags({ telemetry: true, marketing: false })).toEqual({
      consentTelemetry: true,
      consentMarketing: false,
    })
    expect((await guest.see()).body['flags']).toEqual({
      consentTelemetry: true,
      consentMarketing: false,
    })
  })

  it('of a browser that declines cannot be given', async () => {
    const guest = await meet()
    const { body } = await guest.set('consent', { telemetry: true }, { dnt: '1' })
    expect(body['flags']).toMatchObject({ consentTelemetry: false })
  })
})

describe('C8 consent withdrawn', () => {
  it('stops every process at once, also one that had the guest in mind', async () => {
    const guest = await meet()
    for (const at of [fixture.service.url, other.url]) await guest.search(anything(), at)
    const before = ['session.started.v1', 'search.executed.v1', 'search.executed.v1']
    expect(await told(guest.id)).toEqual(before)
    await hasInMind(other, guest)
    await guest.set('consent', { telemetry: false })
    await expect
      .poll(() => other.ctx.sessions.loadNow(presented(other, guest.cookieValue)))
      .toBeNull()
    for (const at of [fixture.service.url, other.url]) {
      await guest.search(anything(), at)
      await guest.set('locale', { locale: at === other.url ? 'ps-AF' : 'fa-AF' }, {}, at)
    }
    expect(await told(guest.id)).toEqual(before)
    await guest.set('consent', { telemetry: true }, {}, other.url)
    await expect
      .poll(() =>
        fixture.service.ctx.sessions.loadNow(presented(fixture.service, guest.cookieValue)),
      )
      .toBeNull()
    await guest.search(anything())
    expect(await told(guest.id)).toEqual([...before, 'search.executed.v1'])
  })

  it('control: a process that hears nothing of it goes on telling', async () => {
    await using deaf = await startConsumer(fixture.environment, {
      sessionLives: { memoryMs: 60_000 },
    })
    await tellAll({ service: deaf })
    const guest = await meet()
    await guest.search(anything(), deaf.url)
    await settle({ service: deaf })
    await hasInMind(deaf, guest)
    const known = deaf.ctx.sessions.loadNow(presented(deaf, guest.cookieValue))
    deaf.ctx.sessions.loadNow = () => known
    await guest.set('consent', { telemetry: false })
    await guest.search(anything(), deaf.url)
    await settle({ service: deaf })
    const executed = (await told(guest.id)).filter((name) => name === 'search.executed.v1')
    expect(executed).toHaveLength(2)
  })

  it.each([
    ['is withdrawn', (guest: Owner) => guest.set('consent', { telemetry: false })],
    ['leaves with her', (guest: Owner) => guest.clear()],
  ])('stops what was still being looked into, wherever, when it %s', async (_how, end) => {
    const guest = await meet()
    const before = await told(guest.id)
    const hotel = fixture.upstreams.hotels[0]?.propertyId
    await other.ctx.cache.invalidate([`listing:${hotel}`])
    const isAsked = latch()
    const answers = latch()
    const { search } = other.ctx.upstreams
    const { listings } = search
    const slowly = vi.spyOn(search, 'listings').mockImplementation(async (input, call) => {
      isAsked.open()
      await answers.promise
      return await listings(input, call)
    })
    const tell = (path: string, json: unknown) =>
      post(other.url, `/telemetry/${path}`, { json, headers: { cookie: guest.cookie } })
    await tell('page-view', { path: '/', propertyId: hotel, source: 'search-list', position: 1 })
    await tell('funnel', { step: 'map.opened', propertyId: hotel })
    await isAsked.promise
    await end(guest)
    const clicks = () =>
      fixture.upstreams.asked.filter(({ path }) => path.endsWith('/clicks')).length
    const clicksBefore = clicks()
    answers.open()
    expect(await told(guest.id)).toEqual(before)
    expect(clicks()).toBe(clicksBefore)
    slowly.mockRestore()
  })

  const proceed = (guest: Owner, json: unknown, more: Record<string, string> = {}) =>
    post(fixture.service.url, '/session', { json, headers: { cookie: guest.cookie, ...more } })

  it.each([
    ['by the route for it', (guest: Owner) => guest.set('consent', { telemetry: false })],
    ['when a session goes on', (guest: Owner) => proceed(guest, { consent: { telemetry: false } })],
    ['when a browser declines from now on', (guest: Owner) => proceed(guest, {}, { dnt: '1' })],
  ])('takes back what was not written yet, %s', async (_how, withdraw) => {
    const [guest, neighbour] = [await meet(), await meet()]
    await settle(fixture)
    const outbox = await holdOutbox()
    await neighbour.search(anything())
    await outbox.isWaitedFor()
    for (const one of [guest, neighbour]) await one.search(anything())
    await withdraw(guest)
    await outbox.release()
    expect(await told(guest.id)).toEqual(['session.started.v1'])
    const hers = ['session.started.v1', 'search.executed.v1', 'search.executed.v1']
    expect(await told(neighbour.id)).toEqual(hers)
  })
})

/** Nobody writes an event until it is released. */
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

/** The process has looked at her session since it last changed. */
async function hasInMind({ ctx, url }: Running, guest: Owner): Promise<void> {
  await guest.see(url)
  expect(ctx.sessions.loadNow(presented({ ctx }, guest.cookieValue))).not.toBeNull()
}
