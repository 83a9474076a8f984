import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GuestSessionVM } from '../../src/sessions/guest-session.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { sessionKeyOf } from '../harness/guest-sessions.ts'
import { searchKeyOf } from '../harness/session-client.ts'
import {
  cookieOf,
  createGuest,
  dayFromNow,
  type Fixture,
  post,
  searchRequest,
  sessionIdOf,
  startConsumer,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const start = (json: unknown = {}, headers: Record<string, string> = {}) =>
  post(fixture.service.url, '/session', { json, headers })

interface StoredSession {
  searchHistory: { searchSessionId: string; queryHash: string; geo: unknown }[]
  flags: unknown
  [field: string]: unknown
}

/** The session as stored in Redis. */
async function storedSession(cookie: string): Promise<StoredSession> {
  const key = sessionKeyOf(sessionIdOf(cookie))
  return JSON.parse(String(await fixture.service.ctx.sessionRedis.hget(key, 'd'))) as StoredSession
}

describe('C1 a session', () => {
  it('has all the fields of the domain model, and is stored for thirty days', async () => {
    const response = await start(
      { device: { screen: '390x844', timeZone: 'Asia/Kabul' } },
      {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'accept-language': 'ps-AF, en;q=0.5',
        'x-currency': 'USD',
        'x-campaign-source': 'radio',
        'x-campaign-medium': 'spot',
        'x-campaign-name': 'nowruz 1405',
      },
    )
    expect(response.status).toBe(201)
    expect(closedCheck(GuestSessionVM)(response.body)).toEqual([])
    expect(response.headers.get('cache-control')).toBe('no-store')
    const cookie = cookieOf(response)
    expect(await storedSession(cookie)).toEqual({
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      localePreference: 'ps-AF',
      currencyPreference: 'USD',
      cookieFingerprintHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      recentlyViewed: [],
      wishlistRefs: [],
      searchHistory: [],
      campaignAttribution: {
        source: 'radio',
        medium: 'spot',
        campaign: 'nowruz 1405',
        capturedAt: expect.any(String),
      },
      flags: { consentTelemetry: true, consentMarketing: false },
    })
    const redis = fixture.service.ctx.sessionRedis
    const ttlSeconds = await redis.ttl(sessionKeyOf(sessionIdOf(cookie)))
    expect(ttlSeconds).toBeGreaterThan(2_591_000)
    const stored = JSON.stringify(await redis.hgetall(sessionKeyOf(sessionIdOf(cookie))))
    expect(stored).not.toContain(cookie.split('.')[2])
    expect(stored).not.toMatch(/Browser|127\.0\.0\.1/)
  })

  it('D3 has a __Host- cookie that is Secure, HttpOnly and SameSite=Lax', async () => {
    const setCookie = (await start()).headers.get('set-cookie')
    expect(setCookie).toMatch(
      /^__Host-gms_id=gms_[0-9A-HJKMNP-TV-Z]{26}\.s1\.[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax$/,
    )
  })

  it('starts with the first search and does not change its shared response', async () => {
    const request = searchRequest({ occupancy: { adults: 7 } })
    const first = await post(fixture.service.url, '/search', { json: request })
    const second = await post(fixture.service.url, '/search', { json: request })
    const cookies = [first, second].map(cookieOf)
    expect(cookies.every((cookie) => cookie.startsWith('__Host-gms_id=gms_'))).toBe(true)
    expect(cookies[0]).not.toBe(cookies[1])
    expect(second.text).toBe(first.text)
    expect(first.text).not.toMatch(/gms_|srs_/)
    const known = await post(fixture.service.url, '/search', {
      json: request,
      headers: { cookie: cookies[0] ?? '' },
    })
    expect(known.headers.get('set-cookie')).toBeNull()
  })

  it('continues when it is started twice, with the new preferences', async () => {
    const first = await start({ locale: 'fa-AF' })
    const cookie = cookieOf(first)
    const again = await start(
      { currency: 'EUR', consent: { marketing: true } },
      { cookie, 'x-campaign-name': 'eid' },
    )
    expect([again.status, again.body['id']]).toEqual([200, first.body['id']])
    expect(again.body).toMatchObject({
      localePreference: 'fa-AF',
      currencyPreference: 'EUR',
      campaignAttribution: { campaign: 'eid' },
      flags: { consentTelemetry: true, consentMarketing: true },
    })
  })

  it('loses none of two concurrent changes at two instances', async () => {
    const cookie = cookieOf(await start({ currency: 'USD' }))
    await Promise.all([
      start({ locale: 'fa-AF' }, { cookie }),
      start({ currency: 'EUR' }, { cookie }),
    ])
    expect(await storedSession(cookie)).toMatchObject({
      localePreference: 'fa-AF',
      currencyPreference: 'EUR',
    })
  })

  it.each([
    ['unknown', () => `__Host-gms_id=${newId('gms')}.s1.${'A'.repeat(43)}`],
    ['malformed', () => '__Host-gms_id=gms_x.y'],
    ['the id of another session', (id: string) => `__Host-gms_id=${id}.s1.${'A'.repeat(43)}`],
  ])('is never adopted from a cookie that is %s', async (_what, forge) => {
    const { id } = await createGuest(fixture.service.url)
    const response = await start({}, { cookie: forge(id) })
    expect(response.status).toBe(201)
    expect(response.body['id']).not.toBe(id)
  })

  it('stores the last 25 searches', async () => {
    const guest = await createGuest(fixture.service.url)
    const names: (string | null)[] = []
    for (let nights = 1; nights <= 27; nights += 1) {
      const dates = { checkIn: dayFromNow(5), checkOut: dayFromNow(5 + nights) }
      const response = await guest.search(searchRequest({ dates }))
      names.push(response.headers.get('x-search-session'))
      const remembered = async () =>
        (await storedSession(guest.cookie)).searchHistory.at(-1)?.searchSessionId
      await expect.poll(remembered, { interval: 5 }).toBe(names.at(-1))
    }
    const { searchHistory } = await storedSession(guest.cookie)
    expect(searchHistory.map((entry) => entry.searchSessionId)).toEqual(names.slice(-25))
    expect(searchHistory[0]).toMatchObject({
      queryHash: expect.stringMatching(/^sha256:/),
      geo: { mode: 'city', city: 'kabul' },
    })
    const saved = await fixture.service.ctx.sessionRedis.get(
      searchKeyOf(fixture.service, guest.id, names.at(-1)),
    )
    expect(JSON.parse(String(saved))).toMatchObject({
      id: names.at(-1),
      guestSessionId: guest.id,
      sortKey: 'recommended',
      filters: {},
      locale: 'en',
      currency: 'AFN',
      resultCount: 12,
    })
  })

  it('can be read by every instance', async () => {
    await using other = await startConsumer(fixture.environment)
    const guest = await createGuest(fixture.service.url)
    const request = searchRequest({ occupancy: { adults: 5 } })
    const here = await guest.search(request)
    await expect.poll(async () => (await storedSession(guest.cookie)).searchHistory.length).toBe(1)
    const there = await post(other.url, '/search', {
      json: request,
      headers: { cookie: guest.cookie },
    })
    expect(there.headers.get('set-cookie')).toBeNull()
    expect(there.headers.get('x-search-session')).toBe(here.headers.get('x-search-session'))
  })
})

describe('C10 language and currency', () => {
  it('follow the browser unless the guest has set them', async () => {
    const negotiated = await start({}, { 'accept-language': 'de, prs;q=0.8, en;q=0.2' })
    expect(negotiated.body).toMatchObject({
      localePreference: 'fa-AF',
      currencyPreference: 'AFN',
    })
    const explicit = await start({ locale: 'en' }, { 'accept-language': 'ps' })
    expect(explicit.body['localePreference']).toBe('en')
    const explicitInEnglish = await start({ locale: 'en' }, { 'accept-language': 'en' })
    const followedBy = async (response: TestResponse, language: string) => {
      const sent = { cookie: cookieOf(response), 'accept-language': language }
      return (await start({}, sent)).body['localePreference']
    }
    expect(await followedBy(negotiated, 'ps')).toBe('ps-AF')
    expect(await followedBy(explicit, 'ps')).toBe('en')
    expect(await followedBy(explicitInEnglish, 'ps')).toBe('en')
  })

  it.each([
    [{ locale: 'tlh' }, {}, 'LOCALE_NOT_SUPPORTED', '/locale'],
    [{ currency: 'XAU' }, {}, 'CURRENCY_NOT_SUPPORTED', '/currency'],
    [{}, { 'x-currency': 'TJS' }, 'CURRENCY_NOT_SUPPORTED', '/headers/x-currency'],
  ])('that are not supported are 422: %j %j', async (json, headers, code, pointer) => {
    for (const path of ['/session', '/search']) {
      const body = path === '/search' ? searchRequest(json) : json
      const response = await post(fixture.service.url, path, { json: body, headers })
      expect([response.status, response.body['code']]).toEqual([
        422,
        `MELMASTOON.BFF.CONSUMER.${code}`,
      ])
      expect(response.body['errors']).toMatchObject([{ pointer }])
    }
  })
})

describe('D13 consent', () => {
  it.each([
    [{ dnt: '1' }, {}],
    [{ 'sec-gpc': '1' }, {}],
    [{ dnt: '1' }, { consent: { telemetry: true } }],
    [{}, { consent: { telemetry: false } }],
  ])('%j %j: no telemetry', async (headers, json) => {
    const { body } = await start(json, headers)
    expect(body['flags']).toEqual({ consentTelemetry: false, consentMarketing: false })
  })

  it('of a known guest ends when the browser sends DNT or GPC', async () => {
    const cookie = cookieOf(await start())
    const { body } = await start({}, { cookie, dnt: '1' })
    expect(body['flags']).toMatchObject({ consentTelemetry: false })
  })
})

describe('limits', () => {
  it('apply to a guest, and to an address without a session', async () => {
    const read = { name: 'strict', limit: 3, periodSeconds: 3_600 }
    await using strict = await startConsumer(fixture.environment, { policies: { read } })
    const guest = await createGuest(fixture.service.url)
    const sendRequest = (headers: Record<string, string>) =>
      post(strict.url, '/search', { json: searchRequest(), headers })
    const known = [1, 2, 3, 4].map(() => sendRequest({ cookie: guest.cookie }))
    const unknown = [1, 2, 3, 4].map(() => sendRequest({}))
    const statuses = async (responses: ReturnType<typeof sendRequest>[]) =>
      (await Promise.all(responses)).map(({ status }) => status).sort((a, b) => a - b)
    expect(await statuses(known)).toEqual([200, 200, 200, 429])
    expect(await statuses(unknown)).toEqual([200, 200, 200, 429])
    const rejected = await sendRequest({})
    expect(rejected.body['code']).toBe('MELMASTOON.GENERAL.RATE_LIMITED')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(5)
    const keys = await fixture.service.ctx.cacheRedis.keys('*')
    expect(keys.join()).not.toContain('127.0.0.1')
  })
})
