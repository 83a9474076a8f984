import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { type Suggestion, Suggestions } from '../../src/suggestions/suggestion-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { outcomeOf, pointersOf } from '../harness/map-client.ts'
import { createGuest, dayFromNow, post } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock, getPath, hotelId } = fixture
const suggestionsOf = ({ body }: { body: Record<string, unknown> }) =>
  body['suggestions'] as Suggestion[]

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
        countryName: 'افغانستان',
        geo: { lat: 34.5, lng: 69.2 },
        count: 12,
        match: 'exact',
        boundingBox: { swLat: 34, swLng: 62, neLat: 35, neLng: 70 },
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
    expect(first).toMatchObject({
      city: { key: 'kabul', name: 'Kabul' },
      countryName: 'Afghanistan',
    })
    expect(first).not.toHaveProperty('geoQuery')
  })

  it.each([
    ['no text', ''],
    ['an empty text', 'q='],
    ['white space', 'q=%20%E3%80%80%00'],
  ])('C19 for %s are the popular places, loaded once', async (_what, query) => {
    const response = await getPath(`/suggest?${query}&locale=en`)
    const suggestions = suggestionsOf(response)
    expect(suggestions.map(({ key, match }) => [key, match])).toEqual([
      ['kabul', 'popular'],
      ['herat', 'popular'],
    ])
    expect(fixture.upstreams.requests.some(({ path }) => path.includes('q='))).toBe(false)
  })

  it('C19 pass a stay on, and are cached by it', async () => {
    const stay = `checkIn=${dayFromNow(3)}&checkOut=${dayFromNow(5)}`
    const paths = [`/suggest?q=kabu&locale=en&${stay}`, '/suggest?q=kabu&locale=en']
    for (const path of [...paths, ...paths]) expect((await getPath(path)).status).toBe(200)
    const sent = fixture.upstreams.requests.map(({ path }) => path.split('?')[1])
    expect(sent).toHaveLength(2)
    const first = new URLSearchParams(sent[0])
    expect(Object.fromEntries(first)).toEqual({
      q: 'kabu',
      limit: '8',
      checkIn: dayFromNow(3),
      checkOut: dayFromNow(5),
      adults: '2',
      children: '0',
      rooms: '1',
    })
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
    ['81 letters', `q=${'x'.repeat(81)}`, '/query/q'],
    ['text that NFC makes longer', `q=${encodeURIComponent('\u0344'.repeat(60))}`, '/query/q'],
    ['a limit of 0', 'q=k&limit=0', '/query/limit'],
    ['a limit of 21', 'q=k&limit=21', '/query/limit'],
    ['a limit as text', 'q=k&limit=all', '/query/limit'],
    ['two texts', 'q=k&q=h', '/query/q'],
    ['an unknown parameter', 'q=k&x=1', '/query/x'],
    ['half a stay', `q=k&checkIn=${dayFromNow(3)}`, '/query/checkOut'],
    ['a stay in the past', `q=k&checkIn=2020-01-01&checkOut=2020-01-02`, '/query/checkIn'],
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
