import { newId } from '@melmastoon/domain'
import { createTestClock } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HotelAvailability } from '../../src/availability/read-availability.ts'
import { FacetCatalog } from '../../src/facets/facet-catalog.ts'
import { type Suggestion, Suggestions } from '../../src/suggestions/suggestion-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { ownHeadersOf } from '../harness/hotel-client.ts'
import { get, outcomeOf, pointersOf } from '../harness/map-client.ts'
import {
  createGuest,
  dayFromNow,
  type Fixture,
  post,
  sectionsOf,
  startFixture,
} from '../harness/start-consumer.ts'

const clock = createTestClock(new Date())
let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture({ clock })
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.requests.length = 0
})

const getPath = (path: string, headers?: Record<string, string>) =>
  get(fixture.service.url, path, headers)
const hotelId = (at = 0) => fixture.upstreams.hotels[at]?.propertyId ?? ''
const suggestionsOf = ({ body }: { body: Record<string, unknown> }) =>
  body['suggestions'] as Suggestion[]

describe('C5 light availability', () => {
  const path = (from: string, to: string, id = hotelId()) =>
    `/hotels/${id}/availability?from=${from}&to=${to}`

  it('contains the rooms per night, from the search projection only', async () => {
    const response = await getPath(path(dayFromNow(1), dayFromNow(4)))
    expect(response.status).toBe(200)
    expect(closedCheck(HotelAvailability)(response.body)).toEqual([])
    expect(response.body).toEqual({
      sections: { availability: { status: 'fresh', ageMs: 0 } },
      degraded: false,
      propertyId: hotelId(),
      nights: [0, 1, 2].map((at) => ({
        night: dayFromNow(1 + at),
        roomsLeft: at,
        roomsTotal: 8,
      })),
    })
    expect(new Set(fixture.upstreams.requests.map(({ upstream }) => upstream))).toEqual(
      new Set(['search']),
    )
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('of 92 nights is returned, cached briefly, and not sent again to a client that has it', async () => {
    const url = path(dayFromNow(2), dayFromNow(94))
    const response = await getPath(url)
    expect(response.body['nights']).toHaveLength(92)
    const again = await getPath(url)
    expect([again.headers.get('x-cache'), again.headers.get('cache-control')]).toEqual([
      'HIT',
      'public, no-cache',
    ])
    const etag = response.headers.get('etag') ?? ''
    expect((await getPath(url, { 'if-none-match': etag })).status).toBe(304)
    clock.advance(90_000)
    expect((await getPath(url)).headers.get('x-cache')).toBe('MISS')
  })

  it.each([
    ['no dates', '', ['/query/from', '/query/to']],
    ['the same day', `from=${dayFromNow(3)}&to=${dayFromNow(3)}`, ['/query/to']],
    ['an end before the start', `from=${dayFromNow(3)}&to=${dayFromNow(2)}`, ['/query/to']],
    ['93 nights', `from=${dayFromNow(3)}&to=${dayFromNow(96)}`, ['/query/to']],
    ['dates in the past', `from=${dayFromNow(-3)}&to=${dayFromNow(2)}`, ['/query/from']],
    ['too far ahead', `from=${dayFromNow(370)}&to=${dayFromNow(371)}`, ['/query/from']],
    ['an impossible day', 'from=2027-02-30&to=2027-03-03', ['/query/from']],
    ['a word', 'from=tomorrow&to=2027-03-03', ['/query/from']],
    ['an unknown parameter', `from=${dayFromNow(1)}&to=${dayFromNow(2)}&room=7`, ['/query/room']],
  ])('with %s is rejected by pointer', async (_what, query, pointers) => {
    const response = await getPath(`/hotels/${hotelId()}/availability?${query}`)
    expect(outcomeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(response)).toEqual(pointers)
  })

  it('of an unknown hotel is not found, and of an invalid id is rejected', async () => {
    const [from, to] = [dayFromNow(1), dayFromNow(2)]
    const gone = await getPath(path(from, to, newId('ppt')))
    expect(outcomeOf(gone)).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    const odd = await getPath(path(from, to, 'ppt_1'))
    expect([odd.status, pointersOf(odd)]).toEqual([400, ['/params/propertyId']])
  })
})

describe('suggestions', () => {
  it('are in the requested language and can be searched for', async () => {
    const response = await getPath('/suggest?q=kab&locale=fa-AF')
    expect(response.status).toBe(200)
    expect(closedCheck(Suggestions)(response.body)).toEqual([])
    expect(suggestionsOf(response)).toEqual([
      {
        kind: 'city',
        key: 'kabul',
        name: 'کابل',
        country: 'AF',
        geo: { lat: 34.5, lng: 69.2 },
        count: 12,
        geoQuery: { mode: 'city', city: 'kabul' },
      },
    ])
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('include hotels with their ids', async () => {
    const [first] = suggestionsOf(await getPath('/suggest?q=hotel%200&locale=en'))
    expect(first).toMatchObject({ kind: 'property', propertyId: hotelId(), name: 'Hotel 0' })
    expect(first).not.toHaveProperty('geoQuery')
  })

  it('are the same for all spellings, and cached for five minutes', async () => {
    const typed = ['he', ' HE ', 'h%65', 'He%00', '%09he%0a']
    for (const q of typed) {
      expect(suggestionsOf(await getPath(`/suggest?q=${q}&locale=en`))).toHaveLength(1)
    }
    expect(fixture.upstreams.count('search')).toBe(1)
    clock.advance(240_000)
    expect((await getPath('/suggest?q=he&locale=en')).headers.get('x-cache')).toBe('HIT')
    clock.advance(180_000)
    expect((await getPath('/suggest?q=he&locale=en')).headers.get('x-cache')).toBe('MISS')
    const composed = await getPath(`/suggest?q=${encodeURIComponent('e\u0301')}&locale=en`)
    expect(composed.status).toBe(200)
    expect(fixture.upstreams.requests.at(-1)?.path).toContain(`q=${encodeURIComponent('é')}`)
  })

  it.each([
    ['lower case', 'İ'.repeat(41)],
    ['NFC', '\u0958'.repeat(41)],
  ])('are rejected by pointer for a text that %s makes too long', async (_what, q) => {
    const response = await getPath(`/suggest?q=${encodeURIComponent(q)}&locale=en`)
    expect([response.status, response.body['code']]).toEqual([
      400,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    ])
    expect(response.body['errors']).toMatchObject([{ pointer: '/query/q', code: 'maxLength' }])
  })

  it('use the locale of the session, else of the browser, and then are private', async () => {
    const guest = await createGuest(fixture.service.url)
    const headers = { cookie: guest.cookie, 'idempotency-key': newId('req') }
    const set = { json: { locale: 'fa-AF' }, headers }
    expect((await post(fixture.service.url, '/session/locale', set)).status).toBe(200)
    const chosen = await getPath('/suggest?q=kab', {
      cookie: guest.cookie,
      'accept-language': 'en',
    })
    expect(suggestionsOf(chosen)[0]?.name).toBe('کابل')
    expect(chosen.headers.get('cache-control')).toBe('private, max-age=60')
    expect(chosen.headers.get('vary')).toContain('Cookie')
    expect(chosen.headers.get('set-cookie')).toBeNull()
    const otherGuest = await getPath('/suggest?q=kab', { 'accept-language': 'en' })
    expect(suggestionsOf(otherGuest)[0]?.name).toBe('Kabul')
    expect(otherGuest.headers.get('set-cookie')).toBeNull()
  })

  it('never name a hotel of a suspended tenant, even if the projection still contains it', async () => {
    const hotel = fixture.upstreams.hotels[1]
    if (hotel === undefined) throw new Error('unknown hotel')
    const names = async () =>
      suggestionsOf(await getPath('/suggest?q=hotel&limit=20&locale=en')).map(({ name }) => name)
    expect(await names()).toContain('Hotel 1')
    const { blocked, cache } = fixture.service.ctx
    await blocked.decide(hotel.tenantId, { blocked: true, decidedAtMs: Date.now() })
    await cache.invalidate(['search'])
    expect(await names()).not.toContain('Hotel 1')
    const nights = `from=${dayFromNow(1)}&to=${dayFromNow(4)}`
    const gone = await getPath(`/hotels/${hotel.propertyId}/availability?${nights}`)
    expect(gone.status).toBe(404)
    await blocked.decide(hotel.tenantId, { blocked: false, decidedAtMs: Date.now() + 1 })
    await cache.invalidate(['search'])
    expect(await names()).toContain('Hotel 1')
  })

  it.each([
    ['no text', '', '/query/q'],
    ['an empty text', 'q=', '/query/q'],
    ['white space', 'q=%20%E3%80%80%00', '/query/q'],
    ['81 letters', `q=${'x'.repeat(81)}`, '/query/q'],
    ['text that NFC makes longer', `q=${encodeURIComponent('\u0344'.repeat(60))}`, '/query/q'],
    ['a limit of 0', 'q=k&limit=0', '/query/limit'],
    ['a limit of 21', 'q=k&limit=21', '/query/limit'],
    ['a limit as text', 'q=k&limit=all', '/query/limit'],
    ['two texts', 'q=k&q=h', '/query/q'],
    ['an unknown parameter', 'q=k&x=1', '/query/x'],
  ])('for %s are rejected by pointer', async (_what, query, pointer) => {
    const response = await getPath(`/suggest?${query}`)
    expect(outcomeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(response)).toContain(pointer)
    expect(fixture.upstreams.count('search')).toBe(0)
  })

  it('in an unsupported language are rejected with their own code', async () => {
    const response = await getPath('/suggest?q=k&locale=de')
    expect(outcomeOf(response)).toEqual([422, 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED'])
    expect(pointersOf(response)).toEqual(['/query/locale'])
  })
})

describe('C13 the facet catalogue', () => {
  const SHARED = 'public, max-age=15, s-maxage=300, stale-while-revalidate=60'

  it('lists the filter values, the most frequent first, with names in the requested language', async () => {
    const response = await getPath('/facets?locale=fa-AF&currency=AFN')
    expect(closedCheck(FacetCatalog)(response.body)).toEqual([])
    expect(response.body).toEqual({
      sections: { facets: { status: 'fresh', ageMs: 0 } },
      degraded: false,
      total: 14,
      amenities: [
        { value: 'wifi', label: 'wifi', count: 12 },
        { value: 'garden', label: 'garden', count: 3 },
      ],
      starRating: [{ value: 3, count: 7 }],
      propertyType: [{ value: 'hotel', label: 'hotel', count: 12 }],
      neighbourhoods: [{ value: 'Shahr-e Naw', label: 'Shahr-e Naw', count: 2 }],
      cities: [{ value: 'kabul', label: 'کابل', count: 12 }],
    })
  })

  it('D5 with locale and currency in the URL varies on no header', async () => {
    const { headers } = await getPath('/facets?locale=en&currency=USD')
    expect(headers.get('cache-control')).toBe(SHARED)
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('set-cookie')).toBeNull()
  })

  it.each(['', '?locale=en', '?currency=USD'])(
    'D5 requested with %j has the Vary header for missing parameters',
    async (query) => {
      const { headers } = await getPath(`/facets${query}`)
      expect(headers.get('cache-control')).toBe(SHARED)
      expect(headers.get('vary')).toBe('Accept-Language, X-Currency, Accept-Encoding')
      expect(headers.get('set-cookie')).toBeNull()
    },
  )

  it('D5 is the same with and without a cookie', async () => {
    const guest = await createGuest(fixture.service.url, { 'accept-language': 'fa' })
    const headers = { 'accept-language': 'en', 'x-currency': 'EUR' }
    const otherGuest = await getPath('/facets', headers)
    const known = await getPath('/facets', { ...headers, cookie: guest.cookie })
    expect(known.text).toBe(otherGuest.text)
    expect(known.headers.get('set-cookie')).toBeNull()
  })

  it('is cached for an hour, and not sent again to a client that has it', async () => {
    const path = '/facets?locale=en&currency=GBP'
    const first = await getPath(path)
    clock.advance(50 * 60_000)
    const again = await getPath(path, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, again.headers.get('x-cache'), again.text]).toEqual([304, 'HIT', ''])
    expect(again.headers.get('cache-control')).toBe(SHARED)
    clock.advance(30 * 60_000)
    expect((await getPath(path)).headers.get('x-cache')).toBe('MISS')
  })

  it.each([
    ['locale=de', 422, 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/query/locale'],
    ['currency=XAU', 422, 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', '/query/currency'],
    ['city=kabul', 400, 'MELMASTOON.GENERAL.VALIDATION_FAILED', '/query/city'],
  ])('requested with %s is rejected', async (query, status, code, pointer) => {
    const response = await getPath(`/facets?${query}`)
    expect([...outcomeOf(response), ...pointersOf(response)]).toEqual([status, code, pointer])
  })
})

describe('D5 responses that shared caches may store', () => {
  it.each([
    ['nights', `/hotels/:id/availability?from=${dayFromNow(1)}&to=${dayFromNow(4)}`],
    ['suggestions in a language', '/suggest?q=kab&locale=en'],
    ['facets', '/facets?locale=en&currency=AFN'],
  ])('contains nothing about the caller: %s', async (_what, path) => {
    const guest = await createGuest(fixture.service.url)
    const response = await getPath(path.replace(':id', hotelId()), { cookie: guest.cookie })
    expect(response.headers.get('cache-control')).toContain('public')
    expect([response.status, ownHeadersOf(response)]).toEqual([200, []])
  })

  it('control: a private response has the limit headers', async () => {
    expect(ownHeadersOf(await getPath('/suggest?q=kab'))).toEqual(['ratelimit', 'ratelimit-policy'])
  })
})

describe.each([
  [
    'availability',
    `/hotels/:id/availability?from=${dayFromNow(6)}&to=${dayFromNow(9)}`,
    30_000,
    { availability: 'stale' },
  ],
  ['suggest', '/suggest?q=her&locale=en', 300_000, {}],
  ['facets', '/facets?locale=en&currency=PKR', 3_600_000, { facets: 'stale' }],
])('%s with the search service', (name, template, freshMs, sections) => {
  /** Suggestions have no sections: names do not become stale. */
  const isDegraded = name === 'suggest' ? undefined : true
  const POLL_SLOWLY = { timeout: 5_000, interval: 60 }
  const path = () => template.replace(':id', hotelId(4))
  const normal = async () => {
    await expect.poll(async () => (await getPath(path())).status, POLL_SLOWLY).toBe(200)
  }

  /** Lifetimes vary randomly by a tenth. */
  async function untilExpired() {
    clock.advance(freshMs)
    let response = await getPath(path())
    for (let step = 0; step < 8 && response.headers.get('x-cache') === 'HIT'; step += 1) {
      clock.advance(freshMs / 50)
      response = await getPath(path())
    }
    return response
  }

  it.each(['down', 'dropping', 'hanging', 'invalid'] as const)(
    '%s: an error with a code when uncached, marked as stale when cached',
    async (mode) => {
      const { cache } = fixture.service.ctx
      await cache.invalidate(['search', `listing:${hotelId(4)}`])
      fixture.upstreams.behaviour.search.mode = mode
      expect([502, 503, 504]).toContain((await getPath(path())).status)
      fixture.upstreams.reset()
      await normal()
      fixture.upstreams.behaviour.search.mode = mode
      const old = await untilExpired()
      expect([old.status, old.headers.get('x-cache')]).toEqual([200, 'STALE'])
      expect(sectionsOf(old)).toEqual(sections)
      expect(old.body['degraded']).toBe(isDegraded)
      clock.advance(1_200_000)
      expect((await getPath(path())).status).toBeGreaterThanOrEqual(500)
      fixture.upstreams.reset()
      await normal()
    },
  )
})
