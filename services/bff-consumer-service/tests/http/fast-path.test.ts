import {
  comparable,
  compareTwoPaths,
  type Exchanged,
  exchange,
  expectSameLimits,
  expectSameWideLimits,
  type PathCase,
  type TwoPaths,
  withoutTimes,
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

const DAYS = `?from=${dayFromNow(3)}&nights=30&adults=2`
const NIGHTS = `?from=${dayFromNow(3)}&to=${dayFromNow(20)}`
const EURO = { 'x-currency': 'EUR' }
const GZIP = { 'accept-encoding': 'gzip' }

const get = (path: string, headers: Headers = {}) => ({
  method: 'GET',
  path: `/bff/consumer/v1${path}`,
  headers,
})
const hotel = (more = '', headers: Headers = {}) => get(`/hotels/${HOTEL}${more}`, headers)

/** The world exists only when the tests run. */
const inWorld = ({ path }: Pick<PathCase, 'path'>) => ({
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
    { name: 'a calendar', ...hotel('/calendar') },
    { name: 'a calendar of some days', ...hotel(`/calendar${DAYS}`) },
    { name: 'a calendar of a family', ...hotel(`/calendar${DAYS}&children=1&childrenAges=7`) },
    { name: 'a calendar in a currency', ...hotel('/calendar?locale=ps-AF&currency=EUR') },
    { name: 'a calendar in the currency of the header', ...hotel('/calendar', EURO) },
    { name: 'a calendar without a session', ...hotel('/calendar', { cookie: '' }) },
    { name: 'a calendar in brotli', ...hotel('/calendar', { 'accept-encoding': 'br' }) },
    { name: 'a calendar in gzip', ...hotel('/calendar', GZIP) },
    { name: 'availability', ...hotel(`/availability${NIGHTS}`) },
    { name: 'availability in gzip', ...hotel(`/availability${NIGHTS}`, GZIP) },
    { name: 'availability without a session', ...hotel(`/availability${NIGHTS}`, { cookie: '' }) },
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

const FORGED = { cookie: '__Host-gms_id=gms_1.k1.x' }
const UNKNOWN = 'ppt_01J9ZZZZZZZZZZZZZZZZZZZZZZ'

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
    { name: 'a hotel with a forged cookie', ...hotel('', FORGED) },
    { name: 'a calendar with HEAD', ...hotel('/calendar'), method: 'HEAD' },
    { name: 'a calendar as HTML', ...hotel('/calendar', { accept: 'text/html' }) },
    { name: 'a calendar in a missing language', ...hotel('/calendar?locale=tlh') },
    { name: 'a calendar in a missing currency', ...hotel('/calendar', { 'x-currency': 'XAU' }) },
    { name: 'a calendar of the past', ...hotel('/calendar?from=2020-01-01') },
    { name: 'a calendar of too many days', ...hotel('/calendar?nights=9999') },
    { name: 'a calendar with a forged cookie', ...hotel('/calendar', FORGED) },
    { name: 'a calendar of an unknown hotel', ...get(`/hotels/${UNKNOWN}/calendar`) },
    { name: 'availability of the past', ...hotel('/availability?from=2020-01-01&to=2020-01-02') },
    { name: 'availability in a missing language', ...hotel(`/availability${NIGHTS}&locale=tlh`) },
    { name: 'offers as HTML', ...hotel('/offers', { accept: 'text/html' }) },
    { name: 'an unknown hotel', ...get(`/hotels/${UNKNOWN}`) },
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
  const allowed = 40
  const policies = { read: { name: 'few-reads', limit: allowed, periodSeconds: 3_600 } }
  /** Tokens are drawn in advance, in batches of up to 20. */
  const wide = { name: 'many-reads', limit: 64, periodSeconds: 60, burst: 320 }
  const widePolicies = {
    read: wide,
    // Both processes have the same client.
    device: { name: 'any-device', limit: 100_000, periodSeconds: 60 },
  }
  const asNewGuest = (given: Omit<PathCase, 'name'>) => async (service: RunningConsumer) => {
    const { cookie } = await createGuest(service.url)
    return { ...given, ...inWorld(given), headers: { ...BROWSER, ...given.headers, cookie } }
  }

  it.each([
    ['searches', search()],
    ['calendars', hotel('/calendar')],
  ])('counts every request for %s once, and rejects with the same response', (_what, given) =>
    expectSameLimits({
      allowed,
      start: (settings) => startConsumer(fixture.environment, { policies, ...settings }),
      request: asNewGuest(given),
    }),
  )

  it('counts every request once when its tokens are drawn in advance', () =>
    expectSameWideLimits({
      policyName: wide.name,
      allowed: wide.burst,
      perSecond: wide.limit / wide.periodSeconds,
      lostMax: 60,
      start: (settings) =>
        startConsumer(fixture.environment, { policies: widePolicies, ...settings }),
      request: asNewGuest(hotel('/calendar')),
    }))
})

it('a suspected bot is challenged, with the fast path too', async () => {
  const headers = { ...JSON_TYPE, 'user-agent': 'Mozilla/5.0 HeadlessChrome/120.0' }
  const outcomes = [withFastPath, withoutFastPath].map(async (service) => {
    const { cookie } = await createGuest(service.url)
    const responses: Exchanged[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      responses.push(await exchange(service.url, { ...search(), headers: { ...headers, cookie } }))
    }
    return responses.map(withoutTimes)
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
