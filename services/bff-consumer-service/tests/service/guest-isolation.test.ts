import { hash } from 'node:crypto'
import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { finishBackgroundWork } from '../harness/published-events.ts'
import { change, type SessionClient, startSessionClient } from '../harness/session-client.ts'
import {
  dayFromNow,
  type Fixture,
  get,
  post,
  type RunningConsumer,
  searchRequest,
  startConsumer,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

/** The data of a guest requires the guest's own cookie and is in no shared response. */
let fixture: Fixture
let other: RunningConsumer

interface Person extends SessionClient {
  /** A word that only this guest has sent. */
  readonly canary: string
  readonly agent: { readonly 'user-agent': string }
  readonly hotel: Hotel
  readonly handoff: TestResponse
}

let people: readonly [Person, Person]

beforeAll(async () => {
  fixture = await startFixture()
  other = await startConsumer(fixture.environment)
  people = [await live(1), await live(2)]
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

function browser(number: number) {
  const version = `${100 + number}.0`
  const linux = `Mozilla/5.0 (X11; Linux x86_64; rv:${version})`
  return { 'user-agent': `${linux} Gecko/20100101 Firefox/${version}` }
}

const hotelAt = (at: number) => {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new TypeError('unknown hotel')
  return hotel
}

const placeOf = (canary: string) => searchRequest({ geo: { mode: 'city', city: `${canary} town` } })
const stay = {
  dates: { checkIn: dayFromNow(7), checkOut: dayFromNow(9) },
  occupancy: { adults: 2, children: 0, rooms: 1 },
}

/** A guest with data in every feature. */
async function live(number: number): Promise<Person> {
  const { url } = fixture.service
  const agent = browser(number)
  const owner = await startSessionClient(url, agent)
  const canary = `canary${number}-${owner.id.slice(-8).toLowerCase()}`
  const hotel = hotelAt(number)
  const mine = { cookie: owner.cookie, ...agent }
  await owner.search(placeOf(canary), url, agent)
  const wish = { propertyId: hotel.propertyId, source: 'list', note: canary }
  await change(url, '/wishlist', wish, mine)
  await get(url, `/hotels/${hotel.propertyId}`, mine)
  const path = `/handoff/${hotel.tenantId}/${hotel.propertyId}`
  const handoff = await change(url, path, stay, mine)
  for (const service of [fixture.service, other]) await finishBackgroundWork({ service })
  return { ...owner, canary, agent, hotel, handoff }
}

/** All routes that return data of the guest. */
const OWN = ['/session', '/wishlist', '/recently-viewed']
/** Responses that are the same for all guests. */
const shared = ({ propertyId }: Hotel) => [
  '/facets',
  '/suggest?q=kab',
  `/hotels/${propertyId}`,
  `/hotels/${propertyId}?locale=en&currency=USD`,
  `/hotels/${propertyId}/availability?from=${dayFromNow(1)}&to=${dayFromNow(8)}`,
  `/compare?ids=${propertyId}`,
]

const readAs = (headers: Record<string, string>, at = fixture.service.url) =>
  Promise.all(OWN.map((path) => get(at, path, headers)))
const textOf = (responses: readonly TestResponse[]) => responses.map(({ text }) => text).join('\n')

const ageless = (text: string) => text.replaceAll(/"ageMs":\d+/g, '')

/** Values that identify the guest. */
function marksOf({ id, cookie, canary, handoff }: Person): string[] {
  const link = String(handoff.body['redirectUrl']).split('?h=')[1] ?? ''
  return [id, cookie.split('.')[2] ?? '', canary, String(handoff.body['handoffId']), link]
}

function expectNothingOf(person: Person, text: string): void {
  for (const mark of marksOf(person)) {
    expect(mark.length).toBeGreaterThan(10)
    expect(text).not.toContain(mark)
  }
}

describe('a guest', () => {
  it('control: finds the own data with the own cookie, in every process', async () => {
    for (const { id, cookie, agent, canary, hotel, handoff } of people) {
      expect(handoff.status).toBe(201)
      for (const at of [fixture.service.url, other.url]) {
        const text = textOf(await readAs({ cookie, ...agent }, at))
        for (const mine of [id, canary, hotel.propertyId]) expect(text).toContain(mine)
      }
    }
  })

  it('finds no data of another guest with the own cookie', async () => {
    const [a, b] = people
    for (const [reader, otherGuest] of [
      [a, b],
      [b, a],
    ] as const) {
      const responses = await readAs({ cookie: reader.cookie, ...reader.agent })
      expectNothingOf(otherGuest, textOf(responses))
      expect(textOf(responses)).not.toContain(otherGuest.hotel.propertyId)
    }
  })
})

/** Cookies that are only partly those of a guest. */
const FORGED: readonly (readonly [string, (a: Person, b: Person) => string])[] = [
  ['the own id with the secret of another', (a, b) => `${a.id}.s1.${b.cookieValue.split('.')[2]}`],
  ['the id of another with the own secret', (a, b) => `${b.id}.s1.${a.cookieValue.split('.')[2]}`],
  ['an id alone', (a) => a.id],
  ['an id and a dot', (a) => `${a.id}.`],
  ['a secret of zeros', (a) => `${a.id}.s1.${'A'.repeat(43)}`],
  ['a secret with one character more', (a) => `${a.cookieValue}A`],
  ['a secret with one character less', (a) => a.cookieValue.slice(0, -1)],
  ['the id in lower case', (a) => a.cookieValue.replace(a.id, a.id.toLowerCase())],
  ['two cookies', (a, b) => `${a.cookieValue}; __Host-gms_id=${b.cookieValue}`],
  ['the Redis key of the session', (a) => `${a.id}.s1.${hash('sha256', a.id, 'base64url')}`],
  ['an unknown key', (a) => a.cookieValue.replace('.s1.', '.s2.')],
]

describe('a forged cookie', () => {
  it.each(FORGED)('%s reads nothing', async (_what, forge) => {
    const [a, b] = people
    const headers = { cookie: `__Host-gms_id=${forge(a, b)}`, ...a.agent }
    for (const at of [fixture.service.url, other.url]) {
      const responses = await readAs(headers, at)
      expect(responses[0]?.status).toBe(401)
      for (const person of people) {
        expectNothingOf(person, textOf(responses))
        expect(textOf(responses)).not.toContain(person.hotel.propertyId)
      }
    }
  })

  it.each(FORGED)('%s changes nothing', async (_what, forge) => {
    const [a, b] = people
    const { url } = fixture.service
    const headers = { cookie: `__Host-gms_id=${forge(a, b)}`, ...a.agent }
    const own = async () => ageless(textOf(await readAs({ cookie: a.cookie, ...a.agent })))
    const before = await own()
    const { propertyId, tenantId } = hotelAt(5)
    const rejected = [
      await change(url, '/session/locale', { locale: 'ps-AF' }, headers),
      await change(url, '/session/currency', { currency: 'USD' }, headers),
      await change(url, '/session/consent', { telemetry: false }, headers),
      await change(url, '/wishlist', { propertyId, source: 'list' }, headers),
      await change(url, `/handoff/${tenantId}/${propertyId}`, stay, headers),
    ]
    expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 401))
    const cleared = await post(url, '/session/clear', { headers })
    const beacon = await post(url, '/telemetry/funnel', {
      json: { step: 'map.opened' },
      headers,
    })
    expect([cleared.status, beacon.status]).toEqual([204, 204])
    const started = await post(url, '/session', { json: { locale: 'ps-AF' }, headers })
    expect(started.status).toBe(201)
    for (const { id } of people) expect(started.text).not.toContain(id)
    await finishBackgroundWork(fixture)
    expect((await own()) === before).toBe(true)
  })
})

describe('an id', () => {
  it('gives no access, wherever it is sent', async () => {
    const [a, b] = people
    const { url } = fixture.service
    const offers = ['sessionId', 'guestSessionId', 'id', 'gms_id', 'session']
    for (const name of offers) {
      const header = { cookie: b.cookie, ...b.agent, [`x-${name.toLowerCase()}`]: a.id }
      expectNothingOf(a, textOf(await readAs(header)))
      for (const path of OWN) {
        const response = await get(url, `${path}?${name}=${a.id}`, { cookie: b.cookie, ...b.agent })
        expect(response.text.replaceAll(`${name}=${a.id}`, '')).not.toContain(a.id)
        expect(response.text).not.toContain(a.canary)
      }
      const requestAsAll = await b.search({ ...searchRequest(), [name]: a.id }, url, b.agent)
      expect(requestAsAll.status).toBe(400)
    }
    for (const path of [`/session/${a.id}`, `/wishlist/${a.id}`, `/recently-viewed/${a.id}`]) {
      expect([400, 404, 405]).toContain((await get(url, path, b.agent)).status)
    }
  })

  it('of a hotel removes the own wish only', async () => {
    const [a, b] = people
    const { url } = fixture.service
    const response = await fetch(new URL(`/bff/consumer/v1/wishlist/${a.hotel.propertyId}`, url), {
      method: 'DELETE',
      headers: { cookie: b.cookie, 'idempotency-key': newId('req'), ...b.agent },
    })
    expect(response.status).toBeLessThan(300)
    const wishlist = await get(url, '/wishlist', { cookie: a.cookie, ...a.agent })
    expect(wishlist.text).toContain(a.canary)
  })

  it('of a search is not accepted from another guest', async () => {
    const [a, b] = people
    const { url } = fixture.service
    const first = await a.search(placeOf(a.canary), url, a.agent)
    const search = first.headers.get('x-search-session') ?? ''
    const named = { ...b.agent, 'x-search-session': search }
    const response = await b.search(placeOf(a.canary), url, named)
    expect(response.headers.get('x-search-session')).toMatch(/^srs_/)
    expect(response.headers.get('x-search-session')).not.toBe(search)
  })

  it('of a handoff cannot be consumed on the public listener', async () => {
    const [a, b] = people
    const path = `/internal/handoff/${String(a.handoff.body['handoffId'])}/consume`
    const { status } = await fetch(new URL(path, fixture.service.url), {
      method: 'POST',
      headers: { cookie: b.cookie, 'content-type': 'application/json', ...b.agent },
      body: '{}',
    })
    expect(status).toBe(404)
  })
})

describe('the idempotency key of one guest', () => {
  it('is a different key when another guest uses it', async () => {
    const [a, b] = people
    const { url } = fixture.service
    const key = { 'idempotency-key': newId('req') }
    const { propertyId, tenantId } = hotelAt(7)
    const as = (person: Person) => ({ cookie: person.cookie, ...person.agent, ...key })
    const wish = (note: string) => ({ propertyId, source: 'list', note })
    await change(url, '/wishlist', wish(`${a.canary} again`), as(a))
    const response = await change(url, '/wishlist', wish('something else'), as(b))
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, null])
    expectNothingOf(a, response.text)
    const path = `/handoff/${tenantId}/${propertyId}`
    const [one, two] = [await change(url, path, stay, as(a)), await change(url, path, stay, as(b))]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body['handoffId']).not.toBe(two.body['handoffId'])
    expect(one.body['redirectUrl']).not.toBe(two.body['redirectUrl'])
  })
})

describe('a shared response', () => {
  it('is the same for all guests and contains no guest’s data', async () => {
    const [a, b] = people
    const { url } = fixture.service
    for (const path of shared(a.hotel)) {
      const readers = [a, b].map(({ cookie, agent }) => ({ cookie, ...agent }))
      const responses = await Promise.all([...readers, b.agent].map((as) => get(url, path, as)))
      expect(responses.map(({ status }) => [path, status])).toEqual(
        responses.map(() => [path, 200]),
      )
      for (const person of people) expectNothingOf(person, textOf(responses))
      expect(textOf(responses)).not.toMatch(/\b(gms|srs|wsh|bhd)_[0-9A-Z]{26}/)
    }
    const request = { json: searchRequest(), headers: b.agent }
    const pages = [
      await a.search(request.json, url, a.agent),
      await b.search(request.json, other.url, b.agent),
      await post(url, '/search', request),
    ]
    for (const page of pages) expect(page.body['items']).toEqual(pages[0]?.body['items'])
    for (const person of people) expectNothingOf(person, textOf(pages))
  })

  it('never sets a cookie when it is cacheable', async () => {
    const [a] = people
    const { url } = fixture.service
    const senders = [{}, a.agent, { cookie: a.cookie, ...a.agent }, { cookie: '__Host-gms_id=x.y' }]
    const requestAsAll = async (path: string) =>
      await Promise.all(
        senders.map(async (headers) => {
          const { status, headers: sent } = await get(url, path, headers)
          return {
            path,
            status,
            control: sent.get('cache-control'),
            cookie: sent.get('set-cookie'),
          }
        }),
      )
    const common = (await Promise.all(shared(a.hotel).map(requestAsAll))).flat()
    const cacheable = common.filter(
      ({ status, control }) => status === 200 && !/private|no-store/.test(control ?? ''),
    )
    expect(cacheable.filter(({ cookie }) => cookie !== null)).toEqual([])
    expect(cacheable.length).toBeGreaterThan(4)
    const own = (await Promise.all(OWN.map(requestAsAll))).flat()
    expect(own.filter(({ control }) => !control?.includes('no-store'))).toEqual([])
  })

  it('is cached without data of the caller', async () => {
    const { cacheRedis, sessionRedis } = fixture.service.ctx
    const entries: string[] = []
    const secrets = people.map(({ cookieValue }) => cookieValue.split('.')[2] ?? '')
    for (const redis of [cacheRedis, sessionRedis]) {
      for (const key of await redis.keys('*')) {
        const type = await redis.type(key)
        const value = type === 'string' ? await redis.get(key) : ''
        const fields = type === 'hash' ? JSON.stringify(await redis.hgetall(key)) : ''
        const text = `${key}${value}${fields}`
        for (const secret of secrets) expect(text).not.toContain(secret)
        if (key.includes(':cache:')) entries.push(text)
      }
    }
    for (const person of people) expectNothingOf(person, entries.join('\n'))
    expect(entries.length).toBeGreaterThan(5)
  })
})

describe('concurrent guests', () => {
  it('each get their own data, however their requests are interleaved', async () => {
    const guests = await Promise.all(
      [11, 12, 13, 14, 15, 16].map(async (number) => {
        const agent = browser(number)
        const owner = await startSessionClient(fixture.service.url, agent)
        return { ...owner, agent, canary: `mixed-${number}-${owner.id.slice(-6)}`, number }
      }),
    )
    const urls = [fixture.service.url, other.url]
    const seen = await Promise.all(
      guests.map(async (guest) => {
        const headers = { cookie: guest.cookie, ...guest.agent }
        const texts: string[] = []
        for (let round = 0; round < 6; round += 1) {
          const at = urls[(round + guest.number) % 2] ?? ''
          const { propertyId } = hotelAt((round + guest.number) % 12)
          const wish = { propertyId, source: 'list', note: `${guest.canary} ${round}` }
          const responses = await Promise.all([
            change(at, '/wishlist', wish, headers),
            guest.search(searchRequest({ occupancy: { adults: 1 + round } }), at, guest.agent),
            ...OWN.map((path) => get(at, path, headers)),
          ])
          expect(responses.every(({ status }) => status < 300)).toBe(true)
          texts.push(...responses.map((response) => response.text))
        }
        return texts.join('\n')
      }),
    )
    seen.forEach((text, at) => {
      expect(text).toContain(guests[at]?.canary)
      for (const [index, { canary, id }] of guests.entries()) {
        if (index === at) continue
        expect(text).not.toContain(canary)
        expect(text).not.toContain(id)
      }
    })
  })
})
