import {
  comparable,
  compareTwoPaths,
  type Exchanged,
  exchange,
  type PathCase,
  type TwoPaths,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
let paths: TwoPaths

beforeAll(async () => {
  fixture = await startFixture()
  withFastPath = fixture.service
  withoutFastPath = await startConsumer(fixture.environment, { fastPath: false })
  const cookies = new Map<unknown, string>()
  for (const service of [withFastPath, withoutFastPath]) {
    cookies.set(service, (await createGuest(service.url)).cookie)
  }
  paths = compareTwoPaths({
    fast: withFastPath,
    plain: withoutFastPath,
    headersOf: (service) => ({ ...BROWSER, cookie: cookies.get(service) ?? '' }),
  })
})
afterAll(async () => {
  await withoutFastPath[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

const JSON_TYPE = { 'content-type': 'application/json' }
const BROWSER = {
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'application/json',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

type Headers = NonNullable<PathCase['headers']>

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

const HOTEL = '$HOTEL'
const STAY = `?checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}&adults=2`

const get = (path: string, headers: Headers = {}) => ({
  method: 'GET',
  path: `/bff/consumer/v1${path}`,
  headers,
})
const hotel = (more = '', headers: Headers = {}) => get(`/hotels/${HOTEL}${more}`, headers)

/** The world exists only when the tests run. */
const inWorld = ({ path }: PathCase) => ({
  path: path.replace(HOTEL, fixture.upstreams.hotels[0]?.propertyId ?? ''),
})

describe('a ready response is the same with and without Fastify', () => {
  const ready: PathCase[] = [
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
    const { status } = await paths.expectSame({ ...given, isFast: true })
    expect(status).toBe(200)
  })

  const documents: PathCase[] = [
    { name: 'a hotel', ...hotel() },
    { name: 'a hotel without a session', ...hotel('', { cookie: '' }) },
    { name: 'a hotel for a stay', ...hotel(STAY) },
    { name: 'a hotel in a language and currency', ...hotel('?locale=fa-AF&currency=USD') },
    { name: 'a hotel in brotli', ...hotel('', { 'accept-encoding': 'br' }) },
    { name: 'a prefetched hotel', ...hotel('', { 'sec-purpose': 'prefetch' }) },
    { name: 'offers', ...hotel('/offers') },
    { name: 'offers for a stay', ...hotel(`/offers${STAY}&currency=EUR`) },
    { name: 'offers without a session', ...hotel('/offers', { cookie: '' }) },
    { name: 'facets', ...get('/facets') },
    { name: 'facets in a language', ...get('/facets?locale=ps-AF&currency=AFN') },
  ]
  it.each(documents)('$name', async (given) => {
    const warm = await paths.expectSame({ ...given, ...inWorld(given), isFast: true })
    expect([warm.status, warm.headers['x-cache']]).toEqual([200, 'HIT'])
    const condition = { ...given.headers, 'if-none-match': warm.headers['etag'] ?? '' }
    const unchanged = await paths.expectSame({
      ...given,
      ...inWorld(given),
      headers: condition,
      isFast: true,
    })
    expect([unchanged.status, unchanged.body]).toEqual([304, ''])
  })
})

describe('any other request is passed on to Fastify unchanged', () => {
  const other: PathCase[] = [
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
    { name: 'HEAD of a hotel', ...hotel(), method: 'HEAD' },
    { name: 'a hotel with a body', ...hotel('', { 'content-length': '2' }), body: '{}' },
    { name: 'a hotel in a missing language', ...hotel('?locale=tlh') },
    { name: 'a hotel in a missing currency', ...hotel('', { 'x-currency': 'XAU' }) },
    { name: 'a hotel for a wrong stay', ...hotel('?checkIn=2020-01-01&checkOut=2020-01-02') },
    { name: 'a hotel with a forged cookie', ...hotel('', { cookie: '__Host-gms_id=gms_1.k1.x' }) },
    { name: 'offers as HTML', ...hotel('/offers', { accept: 'text/html' }) },
    { name: 'an unknown hotel', ...get('/hotels/ppt_01J9ZZZZZZZZZZZZZZZZZZZZZZ') },
    { name: 'no id of a hotel', ...get('/hotels/ppt_1') },
    { name: 'facets with another parameter', ...get('/facets?x=1') },
    { name: 'GET', method: 'GET', path: '/bff/consumer/v1/search' },
    { name: 'HEAD', method: 'HEAD', path: '/bff/consumer/v1/search' },
    { name: 'OPTIONS', method: 'OPTIONS', path: '/bff/consumer/v1/search' },
    { name: 'an unknown route', ...post('/searching', QUERY) },
  ]
  it.each(other)('$name', async (given) => {
    const { status } = await paths.expectSame({ ...given, ...inWorld(given) })
    expect(status).toBeGreaterThanOrEqual(200)
  })
})

it('every request is counted, whichever path it takes', async () => {
  expect(await paths.countDifference()).toEqual({ total: 0, inFlight: 0 })
})

describe('a limit', () => {
  it('counts every request once, and rejects with the same response', async () => {
    const policies = { read: { name: 'few-reads', limit: 40, periodSeconds: 3_600 } }
    const outcomes = [true, false].map(async (fastPath) => {
      await using service = await startConsumer(fixture.environment, { policies, fastPath })
      const { cookie } = await createGuest(service.url)
      const headers = { ...BROWSER, ...JSON_TYPE, cookie }
      const responses: Exchanged[] = []
      for (let turn = 0; turn < 44; turn += 1) {
        responses.push(await exchange(service.url, { ...search(), headers }))
      }
      const remaining = responses.map((response) => remainingOf(response))
      const rejected = responses
        .filter(({ status }) => status === 429)
        .map((response) => comparable(response))
      return { remaining, rejected, isFast: service.app.fastPath.sent > 0 }
    })
    const [fast, plain] = await Promise.all(outcomes)
    expect([fast?.isFast, plain?.isFast]).toEqual([true, false])
    expect(fast?.remaining.slice(0, 40)).toEqual(plain?.remaining.slice(0, 40))
    expect(fast?.rejected).toHaveLength(4)
    expect(fast?.rejected.map(withoutTimes)).toEqual(plain?.rejected.map(withoutTimes))
  })
})

const remainingOf = ({ headers }: Exchanged) => /;r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]

function withoutTimes({ status, headers, body }: Exchanged) {
  const { 'retry-after': _seconds, 'content-length': _length, ...others } = headers
  return { status, headers: others, body: body.replace(/"retryAfter":\d+/, '') }
}

it('a suspected bot is challenged, with the fast path too', async () => {
  const headers = { ...JSON_TYPE, 'user-agent': 'Mozilla/5.0 HeadlessChrome/120.0' }
  const outcomes = [withFastPath, withoutFastPath].map(async (service) => {
    const { cookie } = await createGuest(service.url)
    const responses: Exchanged[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      responses.push(await exchange(service.url, { ...search(), headers: { ...headers, cookie } }))
    }
    return responses.map((response) => comparable(response)).map(withoutTimes)
  })
  const [fast, plain] = await Promise.all(outcomes)
  expect(fast?.map(({ status }) => status)).toEqual([429, 429, 429])
  expect(fast).toEqual(plain)
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
