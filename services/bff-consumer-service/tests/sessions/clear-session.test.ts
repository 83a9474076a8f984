import { type GuestSessionId, idToUuid, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SearchSession } from '../../src/search/search-session.ts'
import { presented, sessionKeyOf } from '../harness/guest-sessions.ts'
import { finishBackgroundWork } from '../harness/published-events.ts'
import {
  change,
  type SessionClient,
  searchKeyOf,
  startSessionClient,
} from '../harness/session-client.ts'
import {
  cookieOf,
  dayFromNow,
  type Fixture,
  get,
  post,
  type RunningConsumer,
  searchRequest,
  sessionIdOf,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let other: RunningConsumer

beforeAll(async () => {
  fixture = await startFixture({ sessionLives: { memoryMs: 60_000 } })
  other = await startConsumer(fixture.environment, { sessionLives: { memoryMs: 60_000 } })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const startSession = () => startSessionClient(fixture.service.url)
const stay = (nights: number) =>
  searchRequest({ dates: { checkIn: dayFromNow(9), checkOut: dayFromNow(9 + nights) } })

/** As the wishlist stores it. */
async function wishFor({ id }: Pick<SessionClient, 'id'>): Promise<void> {
  const [wish, guest, hotel, tenant] = [
    newId('wsh'),
    id as GuestSessionId,
    newId('ppt'),
    newId('tnt'),
  ].map((name) => idToUuid(name))
  await fixture.environment.query(`insert into bff_consumer.wishlist_anonymous
       (wishlist_id, guest_session_id, property_id, target_tenant_id, source)
     values ('${wish}', '${guest}', '${hotel}', '${tenant}', 'list')`)
}

async function wishesOf({ id }: Pick<SessionClient, 'id'>): Promise<number> {
  const rows = await fixture.environment.query(`select from bff_consumer.wishlist_anonymous
      where guest_session_id = '${idToUuid(id as GuestSessionId)}'`)
  return rows.length
}

/** Keys of both Redis instances that contain the session id or the id of a search. */
async function tracesOf(
  guest: Pick<SessionClient, 'id'>,
  searches: readonly string[],
): Promise<string[]> {
  const { sessionRedis, cacheRedis } = fixture.service.ctx
  const ofGuest = [sessionRedis, cacheRedis].map((redis) => redis.keys(`*${guest.id}*`))
  const named = (await Promise.all(ofGuest)).flat()
  const slot = fixture.service.ctx.sessions.slotOf(guest.id)
  const list = await sessionRedis.keys(`*:guest-searches:${slot}`)
  const found = searches.map(async (id) => await sessionRedis.keys(`*${id}*`))
  return [...named, ...list, ...(await Promise.all(found)).flat()]
}

describe('C1 POST /session/clear', () => {
  it('deletes the data of the guest from every store and process', async () => {
    const [guest, neighbour] = [await startSession(), await startSession()]
    const searches: string[] = []
    for (let nights = 1; nights <= 28; nights += 1) {
      const at = nights % 2 === 0 ? fixture.service : other
      const response = await guest.search(stay(nights), at.url)
      searches.push(response.headers.get('x-search-session') ?? '')
    }
    await neighbour.search(stay(1))
    for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
    for (const one of [guest, neighbour]) await wishFor(one)
    await guest.getSession(other.url)
    expect(other.ctx.sessions.loadNow(presented(other, guest.cookieValue))).not.toBeNull()
    expect((await tracesOf(guest, searches)).length).toBe(29)

    const cleared = await guest.clear()
    expect([cleared.status, cleared.text]).toEqual([204, ''])
    expect(cleared.headers.get('set-cookie')).toBe(
      '__Host-gms_id=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax',
    )
    expect(cleared.headers.get('cache-control')).toBe('no-store')
    await expect
      .poll(() => other.ctx.sessions.loadNow(presented(other, guest.cookieValue)))
      .toBeNull()
    for (const { url } of [fixture.service, other]) {
      const seen = await guest.getSession(url)
      expect([seen.status, seen.body['code']]).toEqual([401, 'MELMASTOON.SESSION.COOKIE_INVALID'])
    }
    for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
    expect(await tracesOf(guest, searches)).toEqual([])
    expect([await wishesOf(guest), await wishesOf(neighbour)]).toEqual([0, 1])
    expect((await neighbour.getSession()).body['searchHistory']).toHaveLength(1)
  })

  it('finds every search of a guest who sent all of them at once', async () => {
    const guest = await startSession()
    await guest.search(stay(1))
    await finishBackgroundWork(fixture)
    const nights = Array.from({ length: 28 }, (_, at) => at + 1)
    const responses = await Promise.all(nights.map((count) => guest.search(stay(count))))
    await finishBackgroundWork(fixture)
    const searches = responses.map(({ headers }) => headers.get('x-search-session') ?? '')
    expect(await tracesOf(guest, searches)).toHaveLength(29)
    const { searchHistory } = (await guest.getSession()).body
    const listed = (searchHistory as { searchSessionId: string }[]).map(
      (one) => one.searchSessionId,
    )
    expect(new Set(listed)).toHaveLength(25)
    expect(searches).toEqual(expect.arrayContaining(listed))
    await guest.clear()
    expect(await tracesOf(guest, searches)).toEqual([])
  })

  it('deletes ten thousand searches', async () => {
    const guest = await startSession()
    await guest.search(stay(1))
    await finishBackgroundWork(fixture)
    const { sessionRedis, sessions } = fixture.service.ctx
    const [list = ''] = await sessionRedis.keys(`*:guest-searches:${sessions.slotOf(guest.id)}`)
    const inAnHour = Date.now() + 3_600_000
    const more = Array.from({ length: 10_000 }, (_, at) => [inAnHour, `search-${at}`])
    await sessionRedis.zadd(list, ...more.flat())
    expect((await guest.clear()).status).toBe(204)
    expect(await sessionRedis.exists(list)).toBe(0)
  })

  it('is idempotent, also without a session', async () => {
    const guest = await startSession()
    const everyone = [{ cookie: guest.cookie }, { cookie: guest.cookie }, {}, { cookie: 'x=y' }]
    for (const headers of everyone) {
      const response = await post(fixture.service.url, '/session/clear', { headers })
      expect([response.status, cookieOf(response)]).toEqual([204, '__Host-gms_id='])
    }
  })

  it('requires no body', async () => {
    const guest = await startSession()
    const response = await fetch(`${fixture.service.url}/bff/consumer/v1/session/clear`, {
      method: 'POST',
      headers: { cookie: guest.cookie },
    })
    expect(response.status).toBe(204)
    expect((await guest.getSession()).status).toBe(401)
  })

  it('invalidates the cookie: later requests start a new session', async () => {
    const guest = await startSession()
    await guest.clear()
    for (const path of ['/session', '/search']) {
      const json = path === '/search' ? stay(3) : {}
      const headers = { cookie: guest.cookie }
      const response = await post(fixture.service.url, path, { json, headers })
      expect(sessionIdOf(cookieOf(response))).toMatch(/^gms_/)
      expect(sessionIdOf(cookieOf(response))).not.toBe(guest.id)
    }
    const rejected = await guest.change('locale', { locale: 'ps-AF' })
    expect(rejected.body['code']).toBe('MELMASTOON.SESSION.COOKIE_INVALID')
  })

  it('replays no earlier response', async () => {
    const guest = await startSession()
    const key = { 'idempotency-key': newId('req') }
    await guest.change('locale', { locale: 'ps-AF' }, key)
    await guest.clear()
    expect((await guest.change('locale', { locale: 'ps-AF' }, key)).status).toBe(401)
  })

  it('discards the results of concurrent requests', async () => {
    const rounds = Array.from({ length: 12 }, async (_, round) => {
      const guest = await startSession()
      const searching = [1, 2, 3].map((nights) =>
        guest.search(stay(nights + (round % 9)), nights === 2 ? other.url : fixture.service.url),
      )
      const [responses] = await Promise.all([Promise.all(searching), guest.clear()])
      return { guest, searches: responses.map(({ headers }) => headers.get('x-search-session')) }
    })
    const ended = await Promise.all(rounds)
    for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
    for (const { guest, searches } of ended) {
      // Some searches arrived after the session was cleared and started another one.
      const searchIds = searches.filter((id) => id !== null)
      const { sessionRedis } = fixture.service.ctx
      const storedSearches = await Promise.all(
        searchIds.map((id) => sessionRedis.get(searchKeyOf(fixture.service, guest.id, id))),
      )
      expect(storedSearches.join()).not.toContain(guest.id)
      expect(await tracesOf(guest, [])).toEqual([])
    }
  })

  it('prevents a later save by a search; control: an unconditional write restores the session', async () => {
    const guest = await startSession()
    const response = await guest.search(stay(4))
    await finishBackgroundWork(fixture)
    const { sessionRedis, searchSessions } = fixture.service.ctx
    const id = response.headers.get('x-search-session')
    const key = searchKeyOf(fixture.service, guest.id, id)
    const record = String(await sessionRedis.get(key))
    await guest.clear()
    await searchSessions.save(JSON.parse(record) as SearchSession)
    expect(await tracesOf(guest, [key])).toEqual([])
    await sessionRedis.set(key, record, 'EX', 5)
    expect(await tracesOf(guest, [key])).toEqual([key])
  })

  it('D22 is not reported as done when it failed', async () => {
    const guest = await startSession()
    const away = vi.spyOn(other.ctx.sessionRedis, 'call').mockRejectedValue(new Error('away'))
    const response = await guest.clear(other.url)
    away.mockRestore()
    expect(response.status).toBe(503)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect((await guest.getSession()).status).toBe(200)
  })
})

describe('C1 the data of a guest who used every feature', () => {
  it('is deleted: no key contains the id, and only the tombstone is left', async () => {
    const guest = await startSession()
    const { url, ctx } = fixture.service
    const [hotel] = fixture.upstreams.hotels
    const propertyId = hotel?.propertyId ?? ''
    const headers = { cookie: guest.cookie }
    await guest.search(stay(2))
    await guest.search(stay(3), other.url)
    await get(url, `/hotels/${propertyId}`, headers)
    await change(url, '/wishlist', { propertyId, source: 'list' }, headers)
    await guest.change('locale', { locale: 'ps-AF' })
    const path = '/hotels'
    const searchSessionId = newId('srs')
    const view = {
      path,
      propertyId,
      searchSessionId,
      pageViewId: newId('mpv'),
      source: 'search-list',
      position: 1,
    }
    await post(url, '/telemetry/page-view', { json: view, headers })
    await post(url, '/telemetry/funnel', { json: { step: 'map.opened', propertyId }, headers })
    await get(url, '/recently-viewed', headers)
    for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
    expect(await ctx.sessionRedis.hexists(sessionKeyOf(guest.id), 'd')).toBe(1)
    expect(await wishesOf(guest)).toBe(1)

    expect((await guest.clear()).status).toBe(204)
    for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
    expect(await tracesOf(guest, [])).toEqual([])
    expect(await wishesOf(guest)).toBe(0)
    expect(await ctx.sessionRedis.hgetall(sessionKeyOf(guest.id))).toEqual({ c: '1' })
  })

  it('control: keys that contain the id are found', async () => {
    const guest = await startSession()
    const { cacheRedis } = fixture.service.ctx
    await cacheRedis.set(`test:${guest.id}`, '1', 'EX', 5)
    expect(await tracesOf(guest, [])).toEqual([`test:${guest.id}`])
  })
})

describe('C1 a session expires', () => {
  it('thirty days after the last visit; every visit extends it', async () => {
    const { sessionRedis } = fixture.service.ctx
    const visits: readonly ((guest: SessionClient) => Promise<unknown>)[] = [
      (guest) => guest.getSession(),
      (guest) => guest.search(stay(2)),
      (guest) => guest.change('locale', { locale: 'ps-AF' }),
      (guest) => post(fixture.service.url, '/session', { headers: { cookie: guest.cookie } }),
    ]
    for (const visit of visits) {
      const guest = await startSessionClient(fixture.service.url, {}, { locale: 'en' })
      const key = sessionKeyOf(guest.id)
      await sessionRedis.expire(key, 100)
      await visit(guest)
      expect(await sessionRedis.ttl(key)).toBeGreaterThan(2_591_000)
    }
  })

  it('and the next visit starts another one', async () => {
    const sessionLives = { ttlSeconds: 1, memoryMs: 1 }
    await using brief = await startConsumer(fixture.environment, { sessionLives })
    for (const path of ['/session', '/search']) {
      const guest = await startSessionClient(brief.url)
      await guest.search(stay(2))
      await finishBackgroundWork({ service: brief })
      const key = sessionKeyOf(guest.id)
      const isThere = () => brief.ctx.sessionRedis.exists(key)
      await expect.poll(isThere, { timeout: 5_000 }).toBe(0)
      const seen = await guest.getSession()
      expect([seen.status, seen.body['code']]).toEqual([401, 'MELMASTOON.SESSION.COOKIE_INVALID'])
      const json = path === '/search' ? stay(2) : {}
      const next = await post(brief.url, path, { json, headers: { cookie: guest.cookie } })
      expect([200, 201]).toContain(next.status)
      expect(sessionIdOf(cookieOf(next))).not.toBe(guest.id)
    }
  })
})
