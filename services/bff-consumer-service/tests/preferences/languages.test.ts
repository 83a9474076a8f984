import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import { messagesOf } from '@melmastoon/domain/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlatformChoices } from '../../src/preferences/platform-choices.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { ownHeadersOf } from '../harness/hotel-client.ts'
import { change, type SessionClient, startSessionClient } from '../harness/session-client.ts'
import {
  type Card,
  contracts,
  dayFromNow,
  type Fixture,
  get,
  itemsOf,
  post,
  searchRequest,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

type Sent = Readonly<Record<string, string>>

const BOX = { swLat: 34, swLng: 69, neLat: 35, neLng: 70 }
const NOT_SUPPORTED = 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED'
const TAGS = [
  ['en-US', 'en'],
  ['fa', 'fa-AF'],
  ['prs', 'fa-AF'],
  ['ps', 'ps-AF'],
] as const

let fixture: Fixture
let url: string
let propertyId: string
let tenantId: string
let operations: Documented[]
beforeAll(async () => {
  const { paths } = JSON.parse(await contracts.openApi()) as {
    paths: Record<string, Record<string, Omit<Documented, 'method'>>>
  }
  operations = Object.values(paths).flatMap((item) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method })),
  )
  fixture = await startFixture()
  url = fixture.service.url
  const [hotel] = fixture.upstreams.hotels
  propertyId = hotel?.propertyId ?? ''
  tenantId = hotel?.tenantId ?? ''
})
afterAll(() => fixture[Symbol.asyncDispose]())

const map = (over: object = {}) =>
  searchRequest({ geo: { mode: 'bounding-box', boundingBox: BOX }, ...over })
const languageOf = (response: TestResponse | undefined) => response?.headers.get('content-language')

interface Documented {
  readonly method: string
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly responses: Readonly<Record<string, { readonly headers?: Record<string, object> }>>
}

/** Operations that take a locale in the URL. */
const BY_URL = {
  'consumer.suggestion.list': () => '/suggest?q=kab&',
  'consumer.facet.list': () => '/facets?',
  'consumer.hotel.get': () => `/hotels/${propertyId}?`,
  'consumer.hotel.price': () => `/hotels/${propertyId}/price?`,
  'consumer.hotel.offers': () => `/hotels/${propertyId}/offers?`,
  'consumer.hotel.calendar': () => `/hotels/${propertyId}/calendar?`,
  'consumer.comparison.read': () => `/compare?ids=${propertyId}&`,
  'consumer.wishlist.list': () => '/wishlist?',
  'consumer.recently_viewed.list': () => '/recently-viewed?',
  'consumer.locale.list': () => '/locales?',
} as const
/** Takes both like all reads, and has neither texts nor prices. */
const NEUTRAL = {
  'consumer.availability.read': () =>
    `/hotels/${propertyId}/availability?from=${dayFromNow(7)}&to=${dayFromNow(9)}&`,
} as const
/** The session, which has a choice of its own, and the messages, whose path names the language. */
const WITHOUT_PREFERENCES = ['consumer.session.read', 'consumer.message.list']
/** Operations that take a locale in the body. */
const BY_BODY = {
  'consumer.search.list': (json: Readonly<Record<string, unknown>>, headers: Sent = {}) =>
    post(url, '/search', { json: searchRequest(json), headers }),
  'consumer.search.map': (json: Readonly<Record<string, unknown>>, headers: Sent = {}) =>
    post(url, '/search/map', { json: map(json), headers }),
} as const
/** Responses for one guest that contain texts. */
const PRIVATE = {
  ...BY_BODY,
  'consumer.suggestion.list': (_json: object, headers: Sent) => get(url, '/suggest?q=he', headers),
  'consumer.hotel.price': (_json: object, headers: Sent) =>
    get(url, `/hotels/${propertyId}/price`, headers),
  'consumer.hotel.offers': (_json: object, headers: Sent) =>
    get(url, `/hotels/${propertyId}/offers?${stay()}`, headers),
  'consumer.hotel.calendar': (_json: object, headers: Sent) =>
    get(url, `/hotels/${propertyId}/calendar`, headers),
  'consumer.comparison.read': (_json: object, headers: Sent) =>
    get(url, `/compare?ids=${propertyId}&${stay()}`, headers),
  'consumer.wishlist.list': (_json: object, headers: Sent) =>
    get(url, `/wishlist?${stay()}`, headers),
  'consumer.recently_viewed.list': (_json: object, headers: Sent) =>
    get(url, '/recently-viewed', headers),
} as const

const PUBLIC = ['consumer.facet.list', 'consumer.hotel.get', 'consumer.locale.list'] as const
const stay = () => `checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}&adults=2`

describe('C21 D35 a language tag is matched by lookup', () => {
  it.each(TAGS)('%s is %s in the URL and in the body', async (tag, locale) => {
    for (const [operation, path] of Object.entries(BY_URL)) {
      const response = await get(url, `${path()}locale=${tag}`)
      expect([operation, response.status, languageOf(response)]).toEqual([operation, 200, locale])
    }
    for (const [operation, send] of Object.entries(BY_BODY)) {
      const response = await send({ locale: tag })
      expect([operation, response.status, languageOf(response)]).toEqual([operation, 200, locale])
    }
  })

  it.each(TAGS)('%s is %s in a header and in the session', async (tag, locale) => {
    const first = await post(url, '/search', {
      json: searchRequest(),
      headers: { 'accept-language': tag },
    })
    expect(languageOf(first)).toBe(locale)
    const started = await startSessionClient(url, {}, { locale: tag })
    expect((await started.getSession()).body['localePreference']).toBe(locale)
    const guest = await startSessionClient(url, { 'accept-language': 'de' })
    const set = await guest.change('locale', { locale: tag })
    expect([set.status, set.body['localePreference']]).toEqual([200, locale])
    const minted = await change(
      url,
      `/handoff/${tenantId}/${propertyId}`,
      { ...searchRequest({ geo: undefined }), locale: tag },
      { cookie: guest.cookie },
    )
    expect(minted.status).toBe(201)
  })

  it.each(['de', 'ar', 'tlh', 'en,fa', '*'])('%s is rejected with its pointer', async (tag) => {
    for (const path of Object.values({ ...BY_URL, ...NEUTRAL })) {
      const response = await get(url, `${path()}locale=${encodeURIComponent(tag)}`)
      expect([response.status, response.body['code']]).toEqual([422, NOT_SUPPORTED])
      expect(response.body['errors']).toMatchObject([{ pointer: '/query/locale' }])
      expect(languageOf(response)).toBeNull()
    }
    for (const send of Object.values(BY_BODY)) {
      const response = await send({ locale: tag })
      expect([response.status, response.body['code']]).toEqual([422, NOT_SUPPORTED])
      expect(response.body['errors']).toMatchObject([{ pointer: '/locale' }])
    }
    const messages = await get(url, `/messages/${encodeURIComponent(tag)}`)
    expect([messages.status, messages.body['code']]).toEqual([422, NOT_SUPPORTED])
    expect(messages.body['errors']).toMatchObject([{ pointer: '/params/locale' }])
  })
})

describe('C21 D35 locale and currency', () => {
  const NO_CURRENCY = 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED'

  it.each(['XAU', 'usd', '$'])('the currency %s is rejected by every read', async (currency) => {
    for (const [operation, path] of Object.entries({ ...BY_URL, ...NEUTRAL })) {
      const response = await get(url, `${path()}currency=${encodeURIComponent(currency)}`)
      const { status, body } = response
      expect([operation, status, body['code']]).toEqual([operation, 422, NO_CURRENCY])
      expect(body['errors']).toMatchObject([{ pointer: '/query/currency' }])
    }
  })

  it('are accepted by every read, and change only those with texts or prices', async () => {
    for (const [operation, path] of Object.entries({ ...BY_URL, ...NEUTRAL })) {
      const response = await get(url, `${path()}locale=ps&currency=USD`)
      expect([operation, response.status]).toEqual([operation, 200])
    }
    const [one, other] = await Promise.all(
      ['locale=ps&currency=USD', 'locale=en&currency=AFN'].map((query) =>
        get(url, `${NEUTRAL['consumer.availability.read']()}${query}`),
      ),
    )
    expect(one?.text).toBe(other?.text)
    expect([languageOf(one), one?.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
  })

  it('are documented for every read, with the problems of unsupported ones', () => {
    const reads = operations.filter(
      ({ method, operationId }) => method === 'get' && !WITHOUT_PREFERENCES.includes(operationId),
    )
    expect(reads.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys({ ...BY_URL, ...NEUTRAL }).toSorted(),
    )
    for (const { operationId, parameters = [], responses } of reads) {
      const inUrl = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
      expect([operationId, inUrl]).toEqual([
        operationId,
        expect.arrayContaining(['locale', 'currency']),
      ])
      const rejected = JSON.stringify(responses['422'])
      expect([operationId, rejected]).toEqual([operationId, expect.stringContaining(NO_CURRENCY)])
      expect([operationId, rejected]).toEqual([operationId, expect.stringContaining(NOT_SUPPORTED)])
    }
  })
})

describe('C21 the choice of a session', () => {
  let guest: SessionClient
  let sent: Sent
  beforeAll(async () => {
    guest = await startSessionClient(url, { 'accept-language': 'en' })
    await guest.change('locale', { locale: 'fa' })
    await guest.change('currency', { currency: 'EUR' })
    sent = { cookie: guest.cookie, 'accept-language': 'ps' }
    await change(url, '/wishlist', { propertyId, source: 'detail' }, sent)
    await get(url, `/hotels/${propertyId}`, sent)
  })

  it.each(Object.entries(PRIVATE))('applies to %s', async (_operation, send) => {
    const response = await send({}, sent)
    expect([response.status, languageOf(response)]).toEqual([200, 'fa-AF'])
    expect(response.headers.get('cache-control')).toMatch(/^private, /)
    const currencies = [...response.text.matchAll(/"currency":"([A-Z]{3})"/g)].map(
      ([, code]) => code,
    )
    expect(currencies.filter((code) => code !== 'EUR')).toEqual([])
    const isWithout = await send({}, { 'accept-language': 'ps' })
    expect(languageOf(isWithout)).toBe('ps-AF')
  })

  it.each([
    'consumer.search.list',
    'consumer.hotel.price',
    'consumer.hotel.offers',
    'consumer.hotel.calendar',
    'consumer.comparison.read',
    'consumer.wishlist.list',
  ] as const)('is the currency of the prices of %s', async (operation) => {
    const { text } = await PRIVATE[operation]({}, sent)
    expect(text).toContain('"currency":"EUR"')
  })

  it.each(PUBLIC)('is ignored by the public document %s (D5)', async (operation) => {
    const response = await get(url, BY_URL[operation](), sent)
    expect([response.status, languageOf(response)]).toEqual([200, 'ps-AF'])
    expect(response.headers.get('cache-control')).toContain('public')
    expect(response.headers.get('vary')).toContain('Accept-Language')
    expect(ownHeadersOf(response)).toEqual([])
  })

  it('is not more than what the request says', async () => {
    const price = await get(url, `/hotels/${propertyId}/price?locale=ps&currency=GBP`, sent)
    expect(languageOf(price)).toBe('ps-AF')
    expect(price.text).toContain('"currency":"GBP"')
    for (const path of [`/compare?ids=${propertyId}&`, '/wishlist?']) {
      const list = await get(url, `${path}${stay()}&locale=ps&currency=GBP`, sent)
      expect([list.status, languageOf(list)]).toEqual([200, 'ps-AF'])
      expect(list.text).toContain('"currency":"GBP"')
    }
    const header = await get(url, `/hotels/${propertyId}/price`, { ...sent, 'x-currency': 'PKR' })
    expect(header.text).toContain('"currency":"PKR"')
  })
})

describe('C21 Content-Language', () => {
  it('is documented for exactly the operations of this test', () => {
    const documented = operations.filter(
      ({ responses }) => responses['200']?.headers?.['Content-Language'] !== undefined,
    )
    const sent = new Set([...Object.keys(PRIVATE), ...PUBLIC, 'consumer.message.list'])
    expect(documented.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...sent].toSorted(),
    )
  })

  it('every operation with a locale in its URL is in this test', () => {
    const taking = operations.filter(({ parameters = [] }) =>
      parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'locale'),
    )
    expect(taking.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys({ ...BY_URL, ...NEUTRAL }).toSorted(),
    )
  })
})

describe('C21 addresses and neighbourhoods', () => {
  it.each([
    ['en', 'Shahr-e Naw', '5 Flower Street', 'Shahr-e Naw'],
    ['fa', 'شهر نو', '5 Flower Street فا', 'Shahr-e Naw فا'],
  ])('are in the requested language: %s', async (locale, neighbourhood, line, ofHotel) => {
    const found = await BY_BODY['consumer.search.list']({ locale })
    expect(itemsOf(found)[0]?.['neighbourhood']).toBe(neighbourhood)
    const hotel = await get(url, `/hotels/${propertyId}?locale=${locale}&currency=AFN`)
    const { address } = hotel.body['property'] as { address: object }
    expect(address).toMatchObject({ line, neighbourhood: ofHotel, nativeLine: 'کوچه گل فروشی ۵' })
    const similar = hotel.body['similarProperties'] as Card[]
    expect(similar[0]?.['neighbourhood']).toBe(neighbourhood)
    const guest = await startSessionClient(url, {}, { locale })
    const compared = await get(url, `/compare?ids=${propertyId}`, { cookie: guest.cookie })
    const [first] = compared.body['hotels'] as { card: Card; facts: object }[]
    expect(first?.card['neighbourhood']).toBe(neighbourhood)
    expect(first?.facts).toMatchObject({ address: line })
    const facets = await get(url, `/facets?locale=${locale}&currency=AFN`)
    expect(facets.body['neighbourhoods']).toMatchObject([{ label: neighbourhood }])
  })
})

describe('C21 GET /locales', () => {
  it('lists what a guest may choose, in the requested language', async () => {
    const response = await get(url, '/locales?locale=ps')
    expect(closedCheck(PlatformChoices)(response.body)).toEqual([])
    expect(response.body['locales']).toEqual([
      { tag: 'en', name: 'English', direction: 'ltr' },
      { tag: 'ps-AF', name: 'پښتو', direction: 'rtl' },
      { tag: 'fa-AF', name: 'دری', direction: 'rtl' },
    ])
    const currencies = response.body['currencies'] as { code: string }[]
    expect(currencies.map(({ code }) => code)).toEqual(CURRENCY_CODES)
    expect(currencies).toContainEqual({ code: 'AFN', symbol: '؋', digits: 2, name: 'افغانۍ' })
  })

  it('is public, and revalidated by its entity tag', async () => {
    const response = await get(url, '/locales?locale=fa')
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=300/)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    const etag = response.headers.get('etag') ?? ''
    const again = await get(url, '/locales?locale=fa', { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    const other = await get(url, '/locales?locale=ps', { 'if-none-match': etag })
    expect(other.status).toBe(200)
  })
})

describe('C21 GET /messages/{locale}', () => {
  it.each(LOCALES)('has the texts of all problems in %s', async (locale) => {
    const { status, body, headers } = await get(url, `/messages/${locale}`)
    expect([status, headers.get('content-language')]).toEqual([200, locale])
    expect(body).toEqual({
      locale,
      direction: locale === 'en' ? 'ltr' : 'rtl',
      messages: messagesOf(locale),
    })
  })

  it('is matched by lookup, public, and revalidated by its entity tag', async () => {
    const response = await get(url, '/messages/prs')
    expect([response.body['locale'], ownHeadersOf(response)]).toEqual(['fa-AF', []])
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=300/)
    const etag = response.headers.get('etag') ?? ''
    const again = await get(url, '/messages/fa-AF', { 'if-none-match': etag })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
  })
})
