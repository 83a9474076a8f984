import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { guestPreferences } from '../../src/sessions/guest-preferences.ts'
import { startSession } from '../../src/sessions/start-session.ts'
import { sessionKeyOf, TEST_CLIENT } from '../harness/guest-sessions.ts'
import { finishBackgroundWork } from '../harness/published-events.ts'
import { searchKeyOf } from '../harness/session-client.ts'
import {
  cookieOf,
  type Fixture,
  post,
  type RunningConsumer,
  searchRequest,
  sessionIdOf,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  const wide = { limit: 1_000_000, periodSeconds: 60 }
  fixture = await startFixture({
    policies: {
      newSessionAddress: { name: 'test-address', ...wide },
      newSessionSite: { name: 'test-site', ...wide },
    },
  })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const agent = (at: number | string) =>
  `Mozilla/5.0 (Linux; Android 14; Model ${at}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`

const start = (url: string, headers: Record<string, string>, json: unknown = {}) =>
  post(url, '/session', { json, headers: { 'user-agent': agent(newId('req')), ...headers } })
const search = (url: string, headers: Record<string, string>) =>
  post(url, '/search', { json: searchRequest(), headers: { 'user-agent': agent('S'), ...headers } })

const testCause = ({ config, clock }: RunningConsumer['ctx']) => ({
  producerInstance: config.instance,
  tenantId: null,
  requestId: newId('req'),
  traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
  occurredAt: clock.now(),
})

const sessionKeys = async () => {
  const { sessionRedis } = fixture.service.ctx
  const patterns = [
    'bff-consumer-service:v1:session:*',
    'bff-consumer-service:v1:guest-searches:*',
    'bff-consumer-service:v1:search-session:*',
  ]
  return (await Promise.all(patterns.map((pattern) => sessionRedis.keys(pattern)))).flat()
}

describe('P18 sessions without content', () => {
  it('P18 2,000 started from changing user agents leave no session key in Redis', async () => {
    const { url, ctx } = fixture.service
    const cookies = new Set<string>()
    for (let batch = 0; batch < 10; batch += 1) {
      const headersOf = (at: number) => ({ 'user-agent': agent(batch * 20 + at) })
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          at % 2 === 0 ? start(url, headersOf(at)) : search(url, headersOf(at)),
        ),
      )
      for (const response of responses) cookies.add(cookieOf(response))
    }
    // The others are started without HTTP, which is the slow part.
    const startDirectly = async (at: number) => {
      const client = { ...TEST_CLIENT, userAgent: agent(at) }
      const preferences = guestPreferences.choose({ body: {}, client, stored: undefined })
      const started = { ...preferences, client, hasChosen: false, cause: testCause(ctx) }
      cookies.add((await startSession(ctx, started)).cookieValue)
    }
    for (let from = 200; from < 2_000; from += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, at) => startDirectly(from + at)))
    }
    await finishBackgroundWork(fixture)
    expect(cookies.size).toBe(2_000)
    expect(await sessionKeys()).toEqual([])
    const [cookie = ''] = cookies
    await search(url, { cookie })
    await finishBackgroundWork(fixture)
    expect(await sessionKeys()).toHaveLength(3)
  }, 60_000)

  it.each([
    ['a language', {}, { locale: 'ps-AF' }],
    ['the language that the browser names', { 'accept-language': 'en' }, { locale: 'en' }],
    ['a currency', {}, { currency: 'USD' }],
    ['a currency in a header', { 'x-currency': 'USD' }, {}],
    ['consent', {}, { consent: { telemetry: false } }],
    ['a campaign', { 'x-campaign-source': 'radio' }, {}],
    ['DNT', { dnt: '1' }, {}],
    ['GPC', { 'sec-gpc': '1' }, {}],
  ])('P18 control: one with %s is stored', async (_what, headers, json) => {
    const response = await start(fixture.service.url, headers, json)
    const key = sessionKeyOf(sessionIdOf(cookieOf(response)))
    expect(await fixture.service.ctx.sessionRedis.exists(key)).toBe(1)
  })

  it.each([
    ['a language header', { 'accept-language': 'ps-AF' }, {}],
    ['a screen', {}, { device: { screen: '390x844' } }],
  ])('P18 %s is sent with every request and is not stored', async (_what, headers, json) => {
    const response = await start(fixture.service.url, headers, json)
    const key = sessionKeyOf(sessionIdOf(cookieOf(response)))
    expect([response.status, await fixture.service.ctx.sessionRedis.exists(key)]).toEqual([201, 0])
  })

  it('P18 the first search is stored when the cookie is sent again, under the same id', async () => {
    await using other = await startConsumer(fixture.environment)
    const { url, ctx } = fixture.service
    for (const at of [url, other.url]) {
      const first = await search(url, {})
      const name = first.headers.get('x-search-session')
      const cookie = cookieOf(first)
      const again = await search(at, { cookie })
      expect(again.headers.get('x-search-session')).toBe(name)
      for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
      const stored = await ctx.sessionRedis.hget(sessionKeyOf(sessionIdOf(cookie)), 'd')
      expect(JSON.parse(stored ?? '{}')).toMatchObject({
        searchHistory: [{ searchSessionId: name }],
      })
      const key = searchKeyOf(fixture.service, sessionIdOf(cookie), name)
      expect(await ctx.sessionRedis.exists(key)).toBe(1)
    }
  })

  it.each(['save', 'update'] as const)(
    'a search is stored later when %s failed',
    async (failing) => {
      const { url, ctx } = fixture.service
      const { searchSessions, sessions, sessionRedis } = ctx
      const cookie = cookieOf(await start(url, {}))
      const away = new Error('Redis is unavailable')
      const failed =
        failing === 'save'
          ? vi.spyOn(searchSessions, 'save').mockRejectedValueOnce(away)
          : vi.spyOn(sessions, 'update').mockRejectedValueOnce(away)
      const name = (await search(url, { cookie })).headers.get('x-search-session')
      await finishBackgroundWork(fixture)
      expect(failed).toHaveBeenCalled()
      failed.mockRestore()
      await search(url, { cookie })
      await finishBackgroundWork(fixture)
      const id = sessionIdOf(cookie)
      expect(await sessionRedis.exists(searchKeyOf(fixture.service, id, name))).toBe(1)
      const stored = JSON.parse((await sessionRedis.hget(sessionKeyOf(id), 'd')) ?? '{}')
      expect(stored.searchHistory).toMatchObject([{ searchSessionId: name }])
    },
  )
})

describe('limits of new sessions', () => {
  const tight = (name: string, limit: number) => ({ name, limit, periodSeconds: 3_600 })
  const withLimits = (name: string, [address, site]: readonly [number, number]) =>
    startConsumer(
      { env: { ...fixture.environment.env, TRUST_PROXY_HOPS: '1' } },
      {
        policies: {
          newSessionAddress: tight(`${name}-address`, address),
          newSessionSite: tight(`${name}-site`, site),
        },
      },
    )
  const startFrom = async ({ url }: RunningConsumer, addresses: readonly string[]) => {
    const statuses: number[] = []
    for (const address of addresses) {
      statuses.push((await start(url, { 'x-forwarded-for': address })).status)
    }
    return statuses
  }
  const repeated = (address: string, times: number) => Array.from({ length: times }, () => address)

  it('apply to an IPv4 address, whatever the user agent', async () => {
    await using service = await withLimits('v4', [3, 1_000])
    expect(await startFrom(service, repeated('203.0.113.1', 5))).toEqual([201, 201, 201, 429, 429])
    expect(await startFrom(service, ['203.0.113.2'])).toEqual([201])
    const rejected = await start(service.url, { 'x-forwarded-for': '203.0.113.1' })
    expect(rejected.body['code']).toBe('MELMASTOON.GENERAL.RATE_LIMITED')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(rejected.headers.get('set-cookie')).toBeNull()
  })

  it('apply to an IPv6 /64, and to a /48 over all of its networks', async () => {
    await using service = await withLimits('v6', [2, 3])
    const network = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1:ffff::3']
    expect(await startFrom(service, network)).toEqual([201, 201, 429])
    const site = ['2001:db8:1:2::1', '2001:db8:1:3::1']
    expect(await startFrom(service, site)).toEqual([201, 429])
    expect(await startFrom(service, ['2001:db8:2:1::1'])).toEqual([201])
  })

  it('do not affect pages without a session, or existing sessions', async () => {
    await using service = await withLimits('pages', [1, 1_000])
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const first = await search(service.url, from)
    const cookie = cookieOf(first)
    expect([first.status, cookie]).toEqual([200, expect.stringContaining('gms_')])
    const second = await search(service.url, { ...from, 'user-agent': agent('T') })
    expect([second.status, second.headers.get('set-cookie')]).toEqual([200, null])
    expect((await post(service.url, '/session', { headers: { ...from, cookie } })).status).toBe(200)
  })
})
