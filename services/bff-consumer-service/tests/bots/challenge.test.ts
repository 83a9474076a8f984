import { hashedPart } from '@melmastoon/chassis/redis'
import { type GuestSessionId, idToUuid, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fixture, startConsumer, startFixture } from '../harness/start-consumer.ts'
import { API_KEY, HOSTNAME, PROJECT, SITE_KEY, startFakeGoogle } from './fake-google.ts'
import {
  CRAWLER,
  challengeOf,
  codeOf,
  cookieOf,
  LIMITED,
  proof,
  SUSPECTED,
  search,
  send,
  solve,
  startCrawlerSession,
} from './visitors.ts'

let fixture: Fixture
let url: string

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A crawler that no other test uses. */
const crawlerHeaders = () => ({ 'user-agent': `GPTBot/1.2 (${newId('req')})` })

describe('C9 a suspected bot', () => {
  it('receives a challenge, and neither a page nor a session', async () => {
    const rejected = await search(url, CRAWLER)
    expect(codeOf(rejected)).toEqual([429, SUSPECTED])
    expect(challengeOf(rejected)).toEqual({
      provider: 'local',
      siteKey: 'local',
      action: 'consumer_search_list',
    })
    expect(rejected.headers.get('retry-after')).toBe('60')
    expect(rejected.body).toMatchObject({ retriable: true, retryAfter: 60 })
    expect(rejected.headers.get('cache-control')).toBe('no-store')
    expect(rejected.headers.get('set-cookie')).toBeNull()
  })

  it('is not looked for with BOT_CHECK=off, as for headless browsers on one machine', async () => {
    const env = { ...fixture.environment.env, HOST: '127.0.0.1', BOT_CHECK: 'off' }
    await using unguarded = await startConsumer({ env })
    const headless = { 'user-agent': `HeadlessChrome/143.0.0.0 (${newId('req')})` }
    expect(codeOf(await search(url, headless))).toEqual([429, SUSPECTED])
    expect((await search(unguarded.url, headless)).status).toBe(200)
  })

  it.each([
    'Karbonn K595 WAP-Browser/1.0.0',
    'Mozilla/5.0 (Sonim-XP3400/E343B_2100B00_N1900;U;REX/1.0;BREW/3.1.5;240*320;CTC/2.0) POLARIS/6.2',
    'Mozilla/5.0 (Linux; U; Android 4.2.2; it-it; S308 Build/CUBOT) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    'Opera/9.80 (Linux mips; U; HbbTV/1.1.1 (; Humax; iCord HD+; 1.0.0; 1.0.0; ); ce-html/1.0; en) Presto/2.10.250 Version/11.60',
  ])('is not %s', async (userAgent) => {
    expect((await search(url, { 'user-agent': userAgent })).status).toBe(200)
  })

  it('is rejected by every route that searches or changes something, and can read public documents', async () => {
    const hotel = fixture.upstreams.hotels[0]
    const { propertyId = '', tenantId = '' } = hotel ?? {}
    const headers = { ...CRAWLER, 'content-type': 'application/json' }
    const body = '{}'
    const guarded = [
      { path: '/search', method: 'POST', body },
      { path: '/search/map', method: 'POST', body },
      { path: '/session', method: 'POST', body },
      { path: '/wishlist', method: 'POST', body },
      { path: `/handoff/${tenantId}/${propertyId}`, method: 'POST', body },
      { path: `/wishlist/${propertyId}`, method: 'DELETE', body },
      { path: '/wishlist' },
      { path: '/suggest?q=kab' },
      { path: `/compare?ids=${propertyId}` },
      { path: `/hotels/${propertyId}/availability` },
      { path: `/hotels/${propertyId}/price` },
    ]
    for (const request of guarded) {
      const { status, code } = await send(url, { ...request, headers })
      expect([request.path, status, code]).toEqual([request.path, 429, SUSPECTED])
    }
    const open = [
      `/hotels/${propertyId}?locale=en&currency=AFN`,
      '/facets?locale=en&currency=AFN',
      '/locales',
      '/messages/en',
    ]
    for (const path of open) {
      const { status } = await send(url, { path, headers: CRAWLER })
      expect([path, status]).toEqual([path, 200])
    }
  })

  it('can always withdraw consent and delete the session', async () => {
    const { headers } = await startCrawlerSession(url)
    expect(codeOf(await search(url, headers))).toEqual([429, SUSPECTED])
    const own = { ...headers, 'content-type': 'application/json', 'idempotency-key': newId('req') }
    const consent = { path: '/session/consent', method: 'POST', body: '{"telemetry":false}' }
    expect((await send(url, { ...consent, headers: own })).status).toBe(200)
    const cleared = await send(url, {
      path: '/session/clear',
      method: 'POST',
      body: '{}',
      headers: own,
    })
    expect(cleared.status).toBeLessThan(300)
  })

  it('that passes is not challenged again; other visitors are', async () => {
    const one = await startCrawlerSession(url)
    const other = await startCrawlerSession(url)
    const rejected = await search(url, one.headers)
    const token = await solve(url, challengeOf(rejected))
    const passed = await search(url, { ...one.headers, ...proof(token) })
    expect(passed.status).toBe(200)
    expect((await search(url, one.headers)).status).toBe(200)
    expect(codeOf(await search(url, other.headers))).toEqual([429, SUSPECTED])
    const again = await search(url, { ...other.headers, ...proof(token) })
    expect(codeOf(again)).toEqual([429, SUSPECTED])
    const key = `bff-consumer-service:v1:bot:clear:{${hashedPart(one.id)}}`
    expect(await fixture.service.ctx.sessionRedis.ttl(key)).toBeGreaterThan(1_790)
  })

  it('that passes without a session stays cleared in its new session', async () => {
    const crawler = crawlerHeaders()
    const token = await solve(url, challengeOf(await search(url, crawler)))
    const passed = await search(url, { ...crawler, ...proof(token) })
    expect(passed.status).toBe(200)
    const cookie = cookieOf(passed)
    expect(cookie).toContain('__Host-gms_id=')
    expect((await search(url, { ...crawler, cookie })).status).toBe(200)
    expect(codeOf(await search(url, crawlerHeaders()))).toEqual([429, SUSPECTED])
  })

  it('is cleared in every process, also in one that has just rejected it', async () => {
    await using elsewhere = await startConsumer(fixture.environment)
    const { headers } = await startCrawlerSession(url)
    expect(codeOf(await search(elsewhere.url, headers))).toEqual([429, SUSPECTED])
    const token = await solve(url, challengeOf(await search(url, headers)))
    expect((await search(url, { ...headers, ...proof(token) })).status).toBe(200)
    expect((await search(elsewhere.url, headers)).status).toBe(200)
  })

  it('that fails has a higher score, and its token is not stored', async () => {
    const { id, headers } = await startCrawlerSession(url)
    const canary = 'canary-token-5b1f'
    const responses = []
    for (let times = 0; times < 3; times += 1) {
      responses.push(codeOf(await search(url, { ...headers, ...proof(canary) })))
    }
    expect(responses).toEqual(Array.from({ length: 3 }, () => [429, SUSPECTED]))
    const last = await search(url, headers)
    expect(last.headers.get('retry-after')).toBe('300')
    await fixture.service.ctx.bots.scores.flush()
    const rows = await fixture.environment.query<{
      verdict: string
      signals: { kind: string }[]
    }>(`select verdict, signals from bff_consumer.bot_score_log
        where guest_session_id = '${idToUuid(id as GuestSessionId)}' order by id desc limit 1`)
    expect(rows[0]).toMatchObject({ verdict: 'bot' })
    expect(rows[0]?.signals.map(({ kind }) => kind)).toContain('recaptcha')
    const { sessionRedis, cacheRedis } = fixture.service.ctx
    const keys = [...(await sessionRedis.keys('*')), ...(await cacheRedis.keys('*'))]
    expect(keys.join()).toContain(hashedPart(id))
    expect(keys.join()).not.toContain(id)
    expect(keys.join()).not.toContain(canary)
  })

  it('is required for a token to be verified', async () => {
    const before = await challengesOf(fixture)
    expect((await search(url, proof('whatever'))).status).toBe(200)
    expect(await challengesOf(fixture)).toEqual(before)
  })

  it('that repeats all rejected requests with one token passes with all of them', async () => {
    const { id, headers } = await startCrawlerSession(url)
    const token = await solve(url, challengeOf(await search(url, headers)))
    const again = () => search(url, { ...headers, ...proof(token) })
    const responses = await Promise.all([again(), again(), again(), again()])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(
      await fixture.service.ctx.sessionRedis.exists(
        `bff-consumer-service:v1:bot:failed:{${hashedPart(id)}}`,
      ),
    ).toBe(0)
  })

  it('that passes has its failures deleted', async () => {
    const { id, headers } = await startCrawlerSession(url)
    await search(url, { ...headers, ...proof('wrong') })
    const { sessionRedis } = fixture.service.ctx
    expect(await sessionRedis.get(`bff-consumer-service:v1:bot:failed:{${hashedPart(id)}}`)).toBe(
      '1',
    )
    const token = await solve(url, challengeOf(await search(url, headers)))
    expect((await search(url, { ...headers, ...proof(token) })).status).toBe(200)
    expect(
      await sessionRedis.exists(`bff-consumer-service:v1:bot:failed:{${hashedPart(id)}}`),
    ).toBe(0)
  })

  it.each(['challenge', 'challengeAtAddress'] as const)(
    'has a limited number of attempts, whatever headers it sends: %s',
    async (limit) => {
      const policies = { [limit]: { name: newId('req'), limit: 10, periodSeconds: 3_600 } }
      await using service = await startConsumer(fixture.environment, { policies })
      const one = await startCrawlerSession(url)
      const other = await startCrawlerSession(url)
      const tries = []
      for (let times = 0; times < 12; times += 1) {
        const { headers } = limit === 'challenge' || times % 2 === 0 ? one : other
        const sent = { ...headers, ...proof('wrong'), 'accept-language': `en;q=0.${times % 9}` }
        tries.push((await search(service.url, sent)).body['code'])
      }
      expect(tries.filter((code) => code === SUSPECTED)).toHaveLength(10)
      expect(tries.at(-1)).toBe(LIMITED)
    },
  )
})

async function challengesOf({ service }: Pick<Fixture, 'service'>) {
  const text = await (await fetch(`${service.internalUrl}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.includes('bot_challenges_total{'))
  return Object.fromEntries(
    lines.map((line) => [/outcome="(\w+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]),
  ) as Record<string, number>
}

describe('C9 with reCAPTCHA Enterprise', () => {
  it('tokens are verified by Google; without it reads continue under a narrow limit, and changes fail', async () => {
    await using google = await startFakeGoogle()
    const env = {
      ...fixture.environment.env,
      CAPTCHA: 'recaptcha-enterprise',
      RECAPTCHA_PROJECT: PROJECT,
      RECAPTCHA_SITE_KEY: SITE_KEY,
      RECAPTCHA_HOSTNAMES: HOSTNAME,
      RECAPTCHA_API_KEY: API_KEY,
    }
    const unproven = { name: 'unproven', limit: 2, periodSeconds: 600 }
    await using service = await startConsumer(
      { env },
      { bots: { recaptchaUrl: google.url }, policies: { unproven } },
    )
    const { path, ...issue } = { path: '/challenge/local', method: 'POST', body: '{"action":"x"}' }
    const headers = { 'content-type': 'application/json' }
    expect((await send(service.url, { path, ...issue, headers })).status).toBe(404)

    const solved = await startCrawlerSession(service.url)
    const challenge = challengeOf(await search(service.url, solved.headers))
    expect(challenge).toMatchObject({ provider: 'recaptcha-enterprise', siteKey: SITE_KEY })
    const token = google.solve({ action: challenge.action })
    expect((await search(service.url, { ...solved.headers, ...proof(token) })).status).toBe(200)
    expect(google.requests).toHaveLength(1)

    google.state.mode = 'broken'
    const unlucky = await startCrawlerSession(service.url)
    const tries = []
    for (let times = 0; times < 3; times += 1) {
      tries.push((await search(service.url, { ...unlucky.headers, ...proof('unverified') })).status)
    }
    expect(tries).toEqual([200, 200, 429])
    expect(codeOf(await search(service.url, unlucky.headers))).toEqual([429, SUSPECTED])
    const wish = { path: '/wishlist', method: 'POST', body: '{}' }
    const changing = { ...unlucky.headers, ...headers, ...proof('unverified') }
    expect((await send(service.url, { ...wish, headers: changing })).status).toBe(503)
    expect(await challengesOf({ service })).toMatchObject({ passed: 1, unavailable: 4 })
  })
})
