import { brotliDecompressSync } from 'node:zlib'
import { newId } from '@melmastoon/domain'
import {
  compareTwoPaths,
  cookieSetBy,
  exchange,
  expectSameLimits,
  type PathCase,
  type TwoPaths,
} from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSite, type SiteAddress } from '../harness/site.ts'
import {
  type Booking,
  OTHER_SLUG,
  type RunningBooking,
  SLUG,
  startWithSandbox,
} from '../harness/start-booking.ts'
import { hotelOf, stayAt } from '../harness/stays.ts'

/**
 * Two processes with the same upstreams and the same Redis: one sends ready responses without
 * Fastify, the other one sends everything through it.
 */
let booking: Booking
let plain: RunningBooking
let hotel: PropertyDetail
let paths: TwoPaths

const DOMAIN = 'stay.creek-pearl.example'
const cookies = new Map<unknown, string>()

beforeAll(async () => {
  booking = await startWithSandbox()
  plain = await booking.startAnother({ fastPath: false })
  hotel = await hotelOf(booking, SLUG)
  await booking.platform.addDomain(hotel.tenantId, DOMAIN)
  for (const service of [booking.service, plain]) {
    cookies.set(service, await cookieAt(service.url))
  }
  paths = compareTwoPaths({
    fast: booking.service,
    plain,
    headersOf: (service) => ({ ...BROWSER, cookie: cookies.get(service) ?? '' }),
    ownMembers: ['serverTime', 'nonce'],
  })
})
afterAll(async () => {
  await plain[Symbol.asyncDispose]()
  await booking[Symbol.asyncDispose]()
})

/** Of a guest with one session by path and another one by host, as browsers would send them. */
async function cookieAt(url: string): Promise<string> {
  const pairs = async (address: SiteAddress) => [
    ...(await createSite(url, SLUG).guest(address)).cookies,
  ]
  const all = [...(await pairs('path')), ...(await pairs('host'))]
  return all.map(([name, value]) => `${name}=${value}`).join('; ')
}

const BROWSER = {
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'application/json',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

type Headers = NonNullable<PathCase['headers']>
type Request = Pick<PathCase, 'method' | 'path' | 'headers'>

const HOTEL = '$HOTEL'
const STAY = '$STAY'
const HOST = { host: `${SLUG}.localhost` }

const byPath = (path: string, headers: Headers = {}, slug = SLUG): Request => ({
  method: 'GET',
  path: `/bff/tenant-booking/v1/${slug}${path}`,
  headers,
})
const byHost = (path: string, headers: Headers = {}): Request => ({
  method: 'GET',
  path: `/api${path}`,
  headers: { ...HOST, ...headers },
})
const rooms = (more = '') => `/availability?propertyId=${HOTEL}&${STAY}${more}`

let days = 20

/** The world exists only when the tests run. Every case has its own stay, so that it is fresh. */
function inWorld<C extends Request>(given: C): C {
  days += 1
  const stay = new URLSearchParams({ ...stayAt(hotel, { days }), adults: '2' })
  const path = given.path.replace(HOTEL, hotel.propertyId).replace(STAY, stay.toString())
  return { ...given, path }
}

describe('a ready response is the same with and without Fastify', () => {
  const bootstraps: PathCase[] = [
    { name: 'by path', ...byPath('/bootstrap') },
    { name: 'by host', ...byHost('/bootstrap') },
    {
      name: 'by host in another spelling',
      ...byHost('/bootstrap', { host: `${SLUG}.LOCALHOST.` }),
    },
    { name: 'by the domain of the hotel', ...byHost('/bootstrap', { host: DOMAIN }) },
    { name: 'of another hotel', ...byPath('/bootstrap', {}, OTHER_SLUG) },
    { name: 'without a session', ...byPath('/bootstrap', { cookie: '' }) },
    { name: 'without a session, declining', ...byHost('/bootstrap', { cookie: '', dnt: '1' }) },
    { name: 'with a campaign', ...byPath('/bootstrap', { 'x-campaign-source': 'letter' }) },
    { name: 'in a language', ...byPath('/bootstrap?locale=ps') },
    { name: 'in a currency', ...byPath('/bootstrap?currency=USD') },
    {
      name: 'in the language of the browser',
      ...byHost('/bootstrap', { 'accept-language': 'ps' }),
    },
    { name: 'in the currency of the header', ...byPath('/bootstrap', { 'x-currency': 'USD' }) },
    { name: 'where encodings are accepted', ...byPath('/bootstrap', { 'accept-encoding': 'br' }) },
    { name: 'with a condition', ...byPath('/bootstrap', { 'if-none-match': '*' }) },
    {
      name: 'of a page that is current',
      ...byPath('/bootstrap', { 'x-bootstrap-version': '1.1' }),
    },
    { name: 'that is prefetched', ...byPath('/bootstrap', { 'sec-purpose': 'prefetch' }) },
    {
      name: 'that names another host',
      ...byPath('/bootstrap', { host: `${OTHER_SLUG}.localhost` }),
    },
    {
      name: 'with an id',
      ...byPath('/bootstrap', { 'x-request-id': 'req_01J9ZZZZZZZZZZZZZZZZZZZZZZ' }),
    },
  ]
  it.each(bootstraps)('bootstrap $name', async (given) => {
    const warm = await paths.expectSame({ ...given, isFast: true })
    expect([warm.status, warm.headers['x-cache']]).toEqual([200, 'HIT'])
    expect(warm.headers['cache-control']).toBe('private, no-store')
  })

  const availability: PathCase[] = [
    { name: 'by path', ...byPath(rooms()) },
    { name: 'by host', ...byHost(rooms()) },
    { name: 'by the domain of the hotel', ...byHost(rooms(), { host: DOMAIN }) },
    { name: 'without a session', ...byPath(rooms(), { cookie: '' }) },
    { name: 'in brotli', ...byPath(rooms(), { 'accept-encoding': 'gzip, deflate, br' }) },
    { name: 'in gzip', ...byPath(rooms(), { 'accept-encoding': 'gzip' }) },
    { name: 'in a language and a currency', ...byPath(rooms('&locale=fa-AF&currency=USD')) },
    { name: 'in the currency of the header', ...byHost(rooms(), { 'x-currency': 'USD' }) },
    { name: 'of the only hotel', ...byPath(`/availability?${STAY}`, {}, OTHER_SLUG) },
  ]
  it.each(availability)('availability $name', async (given) => {
    const request = { ...inWorld(given), isFast: true }
    const warm = await paths.expectSame(request)
    expect([warm.status, warm.headers['x-cache']]).toEqual([200, 'HIT'])
    const headers = { ...given.headers, 'if-none-match': warm.headers['etag'] ?? '' }
    const unchanged = await paths.expectSame({ ...request, headers })
    expect([unchanged.status, unchanged.body]).toEqual([304, ''])
  })
})

const TOKEN = `v1.hmac-2026-11.${'x'.repeat(43)}.${'y'.repeat(43)}`
const FORGED = `__Host-tnt_id-${SLUG}=tnt_session_01J9ZZZZZZZZZZZZZZZZZZZZZZ.s1.${'x'.repeat(43)}`

describe('any other request is passed on to Fastify unchanged', () => {
  const other: [PathCase, number][] = [
    [{ name: 'a handoff', ...byPath(`/bootstrap?h=${TOKEN}`) }, 401],
    [{ name: 'a handoff header', ...byPath('/bootstrap', { 'x-handoff-token': TOKEN }) }, 401],
    [{ name: 'HEAD', ...byPath('/bootstrap'), method: 'HEAD' }, 200],
    [{ name: 'no encoding', ...byPath('/bootstrap', { 'accept-encoding': '*;q=0' }) }, 406],
    [{ name: 'no JSON', ...byPath(rooms(), { accept: 'text/html' }) }, 406],
    [{ name: 'a missing currency', ...byPath(rooms(), { 'x-currency': 'IRR' }) }, 422],
    [{ name: 'a missing language', ...byPath('/bootstrap?locale=tlh') }, 422],
    [{ name: 'a forged cookie', ...byPath('/bootstrap', { cookie: FORGED }) }, 200],
    [
      {
        name: 'a stay in the past',
        ...byPath('/availability?checkIn=2020-01-01&checkOut=2020-01-02&adults=1'),
      },
      400,
    ],
    [{ name: 'no hotel of several', ...byPath(`/availability?${STAY}`) }, 400],
    [{ name: 'a hotel of another tenant', ...byPath(rooms(), {}, OTHER_SLUG) }, 404],
    [{ name: 'no site by path', ...byPath('/bootstrap', {}, 'no-such-hotel') }, 404],
    [
      { name: 'no site by host', ...byHost('/bootstrap', { host: 'no-such-hotel.localhost' }) },
      404,
    ],
    [{ name: 'the domain of the platform', ...byHost('/bootstrap', { host: 'localhost' }) }, 404],
    [{ name: 'two hosts', ...byHost('/bootstrap', { host: `${HOST.host}, ${DOMAIN}` }) }, 400],
    [{ name: 'an unknown parameter', ...byPath('/bootstrap?x=1') }, 400],
  ]
  it.each(other)('$name', async (given, expected) => {
    const { status } = await paths.expectSame(inWorld(given))
    expect(status).toBe(expected)
  })
})

it('every request is counted, whichever path it takes', async () => {
  expect(await paths.countDifference()).toEqual({ total: 0, inFlight: 0 })
})

it('has a nonce and a time of its own, and a session of its own without a cookie', async () => {
  const { sent } = booking.service.app.fastPath
  const request = byPath('/bootstrap', { cookie: '' })
  const responses = [1, 2, 3].map(() => exchange(booking.service.url, request))
  const bodies = await Promise.all(responses.map(async (each) => JSON.parse((await each).body)))
  const started = await Promise.all(
    responses.map(async (each) => (await each).headers['set-cookie']),
  )
  expect(new Set(bodies.map(({ csp }) => csp.nonce)).size).toBe(3)
  expect(new Set(started.map((cookie) => cookie?.split(';')[0])).size).toBe(3)
  // One of them may have to draw a token of a limit.
  expect(booking.service.app.fastPath.sent).toBeGreaterThanOrEqual(sent + 2)
})

it('is compressed by Fastify for a client that rejects plain bytes', async () => {
  const { sent } = booking.service.app.fastPath
  const headers = { 'accept-encoding': 'br, *;q=0' }
  const response = await exchange(booking.service.url, byPath('/bootstrap', headers))
  const body = brotliDecompressSync(Buffer.from(response.body, 'latin1')).toString()
  expect([response.status, JSON.parse(body)]).toMatchObject([200, { tenantSlug: SLUG }])
  expect(booking.service.app.fastPath.sent).toBe(sent)
})

it('is rejected for a page that has missed too many changes of the settings', async () => {
  const { tenantId } = await booking.platform.tenant(OTHER_SLUG)
  const request = byPath('/bootstrap', { 'x-bootstrap-version': '1.1' }, OTHER_SLUG)
  await paths.expectSame({ name: 'current', ...request, isFast: true })
  for (const checkInTime of ['13:00', '13:30', '14:00', '14:30']) {
    await booking.platform.configure(tenantId, { checkInTime })
  }
  const statusAt = async (url: string) => (await exchange(url, request)).status
  for (const { url } of [booking.service, plain]) {
    await expect.poll(() => statusAt(url)).toBe(410)
  }
  await paths.expectSame({ name: 'outdated', ...request })
})

describe('a session that is started with a ready response', () => {
  const own = byPath('/bootstrap')
  const other = byPath('/bootstrap', {}, OTHER_SLUG)
  const both = () => [booking.service, plain] as const

  beforeAll(() =>
    paths.expectSame({ name: 'ready', ...byPath('/bootstrap', { cookie: '' }), isFast: true }),
  )

  /** By the path that the process has; a request that draws a token of a limit is not fast. */
  async function startAt(service: RunningBooking): Promise<string> {
    for (let turn = 0; turn < 5; turn += 1) {
      const { sent } = service.app.fastPath
      const cookie = cookieSetBy(await exchange(service.url, own)) ?? 'no cookie'
      expect(cookie).toMatch(new RegExp(`^__Host-tnt_id-${SLUG}=tnt_session_`))
      if (service === plain || service.app.fastPath.sent > sent) return cookie
    }
    throw new Error('the response is never ready')
  }

  const send = async ({ url }: RunningBooking, request: Request, cookie: string) =>
    await exchange(url, { ...request, headers: { ...BROWSER, cookie } })
  const speak = async ({ url }: RunningBooking, cookie: string, locale: string) =>
    await exchange(url, {
      ...byPath('/session/locale'),
      method: 'POST',
      headers: {
        ...BROWSER,
        cookie,
        'content-type': 'application/json',
        'idempotency-key': newId('req'),
      },
      body: JSON.stringify({ locale }),
    })

  it.each(['fast', 'plain'] as const)('by the %s path is that of the other one', async (from) => {
    const [starting, continuing] = from === 'fast' ? both() : both().toReversed()
    const cookie = await startAt(starting)
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, headers } = await send(continuing, own, cookie)
      expect([status, headers['set-cookie']]).toEqual([200, undefined])
    }
    expect((await speak(continuing, cookie, 'ps-AF')).status).toBe(200)
    const languageAt = async (service: RunningBooking) => {
      const { headers } = await send(service, own, cookie)
      return [headers['content-language'], headers['set-cookie']]
    }
    for (const service of both()) {
      await expect.poll(() => languageAt(service)).toEqual(['ps-AF', undefined])
    }
  })

  it.each(['fast', 'plain'] as const)('by the %s path is none at another hotel', async (from) => {
    const [, value = ''] = (await startAt(from === 'fast' ? booking.service : plain)).split('=')
    const cookie = `__Host-tnt_id-${OTHER_SLUG}=${value}`
    for (const service of both()) {
      for (let turn = 0; turn < 3; turn += 1) {
        const { status, headers } = await send(service, other, cookie)
        expect(status).toBe(200)
        expect(headers['set-cookie']).toMatch(`__Host-tnt_id-${OTHER_SLUG}=tnt_session_`)
        expect(headers['set-cookie']).not.toContain(value.split('.')[0])
      }
    }
  })
})

describe('a limit', () => {
  it('counts every request once, and rejects with the same response', async () => {
    const allowed = 40
    const policies = { read: { name: 'few-reads', limit: allowed, periodSeconds: 3_600 } }
    await expectSameLimits({
      allowed,
      start: (settings) => booking.startAnother({ policies, ...settings }),
      request: async ({ url }) => {
        const headers = { ...BROWSER, cookie: await cookieAt(url) }
        return inWorld(byPath(rooms(), headers))
      },
    })
  })
})
