import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable, type Exchanged, exchange, type Sent } from '../harness/exchange.ts'
import { mapRequest } from '../harness/map-client.ts'
import {
  createGuest,
  dayFromNow,
  type Fixture,
  type RunningConsumer,
  searchRequest,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

/**
 * Two processes with the same upstreams and the same Redis: one sends ready responses without
 * Fastify, the other one sends everything through it.
 */
let fixture: Fixture
let withFastPath: RunningConsumer
let withoutFastPath: RunningConsumer
/** Clearly the tightest limit, so that it is the one in the headers. */
const POLICIES = { read: { name: 'read', limit: 100_000, burst: 50_000, periodSeconds: 60 } }
const cookies = new Map<RunningConsumer, string>()

beforeAll(async () => {
  fixture = await startFixture({ policies: POLICIES })
  withFastPath = fixture.service
  const overrides = { policies: POLICIES, fastPath: false }
  withoutFastPath = await startConsumer(fixture.environment, overrides)
  for (const service of [withFastPath, withoutFastPath]) {
    cookies.set(service, (await createGuest(service.url)).cookie)
  }
})
afterAll(async () => {
  await withoutFastPath[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

interface Case extends Sent {
  readonly name: string
  /** Whether the response is ready once the request was sent before. */
  readonly isFast?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const BROWSER = {
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'application/json',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

type Headers = NonNullable<Sent['headers']>

/** Three times, so that everything that can be cached is cached; the last one counts. */
async function exchangeWarm(service: RunningConsumer, { headers = {}, ...sent }: Case) {
  const cookie = cookies.get(service) ?? ''
  const own = { ...BROWSER, cookie, ...headers }
  const used = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''))
  let last: Exchanged | undefined
  let sentFast = 0
  for (let turn = 0; turn < 3; turn += 1) {
    const before = service.app.fastPath.sent
    last = await exchange(service.url, { ...sent, headers: used })
    sentFast = service.app.fastPath.sent - before
  }
  if (last === undefined) throw new TypeError('nothing was sent')
  return { response: comparable(last), isFast: sentFast === 1 }
}

async function untilSmall(given: Case): Promise<void> {
  const lengths = async () => {
    const both = [withFastPath, withoutFastPath].map((service) => exchangeWarm(service, given))
    return (await Promise.all(both)).map(({ response }) => response.body.length)
  }
  await expect.poll(async () => new Set(await lengths()).size).toBe(1)
}

async function expectSame(given: Case): Promise<Exchanged> {
  // A smaller compressed form is made in the background after the first use.
  if (given.headers?.['accept-encoding'] !== undefined) await untilSmall(given)
  const fast = await exchangeWarm(withFastPath, given)
  const plain = await exchangeWarm(withoutFastPath, given)
  expect(fast.response).toEqual(plain.response)
  expect([fast.isFast, plain.isFast]).toEqual([given.isFast ?? false, false])
  return fast.response
}

const QUERY = JSON.stringify(searchRequest())
const MAP_QUERY = JSON.stringify(mapRequest())

const post = (path: string, body: string | Buffer, headers: Headers = {}) => ({
  method: 'POST',
  path: `/bff/consumer/v1${path}`,
  headers: { ...JSON_TYPE, ...headers },
  body,
})

const search = (headers: Headers = {}, body: string | Buffer = QUERY) =>
  post('/search', body, headers)

describe('a ready response is the same with and without Fastify', () => {
  const ready: Case[] = [
    { name: 'plain', ...search() },
    { name: 'brotli', ...search({ 'accept-encoding': 'gzip, deflate, br' }) },
    { name: 'gzip', ...search({ 'accept-encoding': 'gzip' }) },
    { name: 'another language', ...search({ 'accept-language': 'ps' }) },
    { name: 'another currency', ...search({ 'x-currency': 'EUR' }) },
    { name: 'a condition, which POST ignores', ...search({ 'if-none-match': '*' }) },
    { name: 'no Fetch Metadata', ...search({ 'sec-fetch-site': '' }) },
    { name: 'a charset', ...search({ 'content-type': 'application/json; charset=utf-8' }) },
    { name: 'an id', ...search({ 'x-request-id': 'req_01J9ZZZZZZZZZZZZZZZZZZZZZZ' }) },
    { name: 'a trace', ...search({ traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }) },
    { name: 'a map', ...post('/search/map', MAP_QUERY) },
  ]
  it.each(ready)('$name', async (given) => {
    const { status } = await expectSame({ ...given, isFast: true })
    expect(status).toBe(200)
  })
})

describe('any other request is passed on to Fastify unchanged', () => {
  const other: Case[] = [
    { name: 'no session', ...search({ cookie: '' }) },
    { name: 'a forged cookie', ...search({ cookie: `__Host-gms_id=gms_1.k1.${'x'.repeat(43)}` }) },
    { name: 'a cookie twice', ...search({ cookie: '__Host-gms_id=a; __Host-gms_id=b' }) },
    { name: 'another site', ...search({ 'sec-fetch-site': 'cross-site' }) },
    { name: 'a sibling site', ...search({ 'sec-fetch-site': 'same-site' }) },
    { name: 'a foreign origin', ...search({ 'sec-fetch-site': '', origin: 'https://evil.test' }) },
    { name: 'no acceptable type', ...search({ accept: 'text/html' }) },
    { name: 'no acceptable encoding', ...search({ 'accept-encoding': 'identity;q=0, *;q=0' }) },
    { name: 'an unsupported currency', ...search({ 'x-currency': 'XAU' }) },
    { name: 'another media type', ...search({ 'content-type': 'text/plain' }) },
    { name: 'another charset', ...search({ 'content-type': 'application/json; charset=utf-16' }) },
    { name: 'an encoded body', ...search({ 'content-encoding': 'gzip' }) },
    { name: 'a chunked body', ...search({ 'transfer-encoding': 'chunked' }) },
    { name: 'an announced body', ...search({ expect: '100-continue' }) },
    { name: 'no body', ...search({}, '') },
    { name: 'no JSON', ...search({}, '{"geo"') },
    { name: 'no UTF-8', ...search({}, Buffer.from('7b2267656f223a22ff227d', 'hex')) },
    { name: 'an unknown member', ...search({}, JSON.stringify({ ...searchRequest(), x: 1 })) },
    {
      name: 'a stay in the past',
      ...search(
        {},
        JSON.stringify(
          searchRequest({ dates: { checkIn: dayFromNow(-9), checkOut: dayFromNow(-7) } }),
        ),
      ),
    },
    { name: 'a large body', ...search({}, `${' '.repeat(2_000)}${QUERY}`) },
    { name: 'too large a body', ...search({}, ' '.repeat(70_000)) },
    { name: 'a query string', ...post('/search?x=1', QUERY) },
    { name: 'GET', method: 'GET', path: '/bff/consumer/v1/search' },
    { name: 'HEAD', method: 'HEAD', path: '/bff/consumer/v1/search' },
    { name: 'OPTIONS', method: 'OPTIONS', path: '/bff/consumer/v1/search' },
    { name: 'an unknown route', ...post('/searching', QUERY) },
  ]
  it.each(other)('$name', async (given) => {
    await expectSame(given)
  })
})

it('both count the same requests', async () => {
  const countsOf = async ({ ctx }: RunningConsumer) =>
    (await ctx.metrics.render())
      .split('\n')
      .filter((line) => /_request_(total|inflight)\{|_errors_total\{/.test(line))
      .filter((line) => line.includes('/search'))
      .toSorted()
  expect(await countsOf(withFastPath)).toEqual(await countsOf(withoutFastPath))
  expect((await countsOf(withFastPath)).join('\n')).toMatch(/request_total\{.*status_class="2xx"/)
})

it('control: a difference in status, headers or body is detected', async () => {
  const response = await exchange(withFastPath.url, search())
  const same = comparable(response)
  const others: Exchanged[] = [
    { ...response, status: 201 },
    { ...response, headers: { ...response.headers, 'x-cache': 'MISS' } },
    { ...response, headers: { ...response.headers, extra: '1' } },
    { ...response, body: `${response.body} ` },
  ]
  for (const other of others) expect(comparable(other)).not.toEqual(same)
  expect(comparable({ ...response })).toEqual(same)
})
