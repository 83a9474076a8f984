import { CURRENCY_CODES, LOCALES, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GuestSessionVM } from '../../src/sessions/guest-session.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import {
  disableSampling,
  eventNames,
  finishBackgroundWork,
  publishedEvents,
} from '../harness/published-events.ts'
import { change, startSessionClient } from '../harness/session-client.ts'
import {
  cookieOf,
  type Fixture,
  get,
  post,
  pricesOf,
  searchRequest,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await disableSampling(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const startSession = (headers: Record<string, string> = {}, json: unknown = {}) =>
  startSessionClient(fixture.service.url, headers, json)
const eventNamesOf = async (id: string) => eventNames(await publishedEvents(fixture, id))

describe('C1 GET /session', () => {
  it('returns the guest’s own session and is not cacheable', async () => {
    const guest = await startSession()
    const seen = await guest.getSession()
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(closedCheck(GuestSessionVM)(seen.body)).toEqual([])
    expect(seen.body['id']).toBe(guest.id)
    expect(seen.text).not.toMatch(/sha256|tenantId/)
  })

  it.each([
    ['without a cookie', {}],
    ['with an unknown cookie', { cookie: `__Host-gms_id=${newId('gms')}.s1.${'A'.repeat(43)}` }],
  ])('is 401 %s, and starts no session', async (_what, headers) => {
    const response = await get(fixture.service.url, '/session', headers)
    expect([response.status, response.body['code']]).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

describe('C10 language', () => {
  it.each(LOCALES)('%s is stored, returned and used upstream', async (locale) => {
    const guest = await startSession()
    const set = await guest.change('locale', { locale })
    expect([set.status, set.body]).toEqual([
      200,
      {
        localePreference: locale,
        currencyPreference: 'AFN',
        flags: { consentTelemetry: true, consentMarketing: false },
      },
    ])
    expect(set.headers.get('cache-control')).toBe('no-store')
    expect((await guest.getSession()).body['localePreference']).toBe(locale)
    await guest.search(
      searchRequest({ occupancy: { adults: 3, rooms: 1 + LOCALES.indexOf(locale) } }),
    )
    const request = fixture.upstreams.requests.findLast(({ upstream }) => upstream === 'search')
    expect(request?.body['locale'] ?? request?.headers['accept-language']).toBe(locale)
  })

  it('once set, is not overridden by the browser', async () => {
    const guest = await startSession({ 'accept-language': 'en' })
    await guest.change('locale', { locale: 'fa-AF' })
    const sent = { 'accept-language': 'ps-AF,en;q=0.9' }
    const response = await guest.search(searchRequest(), fixture.service.url, sent)
    const [card] = response.body['items'] as { thumbnail: { alt: string } }[]
    expect(card?.thumbnail.alt).toBe('خانه')
    await post(fixture.service.url, '/session', { headers: { cookie: guest.cookie, ...sent } })
    expect((await guest.getSession(undefined, sent)).body['localePreference']).toBe('fa-AF')
  })

  it('of one request applies to that request only', async () => {
    const guest = await startSession({}, { locale: 'fa-AF' })
    await guest.search(searchRequest({ locale: 'ps-AF' }))
    expect((await guest.getSession()).body['localePreference']).toBe('fa-AF')
  })
})

describe('C10 currency', () => {
  it.each(CURRENCY_CODES)('%s is stored, returned, used upstream and shown', async (currency) => {
    const guest = await startSession()
    expect((await guest.change('currency', { currency })).body['currencyPreference']).toBe(currency)
    expect((await guest.getSession()).body['currencyPreference']).toBe(currency)
    const { requests } = fixture.upstreams
    const before = requests.length
    const response = await guest.search(searchRequest({ occupancy: { adults: 4 } }))
    expect(pricesOf(response).map((rate) => rate?.['currency'])).toEqual(
      pricesOf(response).map(() => currency),
    )
    const calls = requests.slice(before).filter(({ upstream }) => upstream === 'pricing')
    expect(calls.map(({ body }) => body['currency'])).toEqual(calls.map(() => currency))
    expect(calls.length).toBeGreaterThan(0)
  })

  it('of a header applies to one request and is not stored', async () => {
    const guest = await startSession()
    await guest.change('currency', { currency: 'EUR' })
    const sent = { 'x-currency': 'PKR' }
    const response = await guest.search(searchRequest(), fixture.service.url, sent)
    expect(pricesOf(response)[0]?.['currency']).toBe('PKR')
    await post(fixture.service.url, '/session', { headers: { cookie: guest.cookie, ...sent } })
    expect((await guest.getSession()).body['currencyPreference']).toBe('EUR')
    expect(pricesOf(await guest.search(searchRequest()))[0]?.['currency']).toBe('EUR')
  })

  it('is derived from the country of a trusted proxy header, until a record is stored', async () => {
    const env = { ...fixture.environment.env, TRUST_PROXY_HOPS: '1' }
    await using behindProxy = await startConsumer({ env })
    const from = async (country: string) => {
      const headers = { 'x-client-region': country }
      const { body } = await post(behindProxy.url, '/session', { headers })
      return body['currencyPreference']
    }
    const countries = ['AF', 'PK', 'IR', 'AE', 'GB', 'DE', 'US', 'TJ', 'ZZ', 'de', '']
    const guessed = await Promise.all(countries.map(from))
    expect(guessed).toEqual([
      'AFN',
      'PKR',
      'IRR',
      'AED',
      'GBP',
      'EUR',
      'USD',
      'USD',
      'AFN',
      'AFN',
      'AFN',
    ])
    const guest = await startSessionClient(behindProxy.url, { 'x-client-region': 'PK' })
    const currencyFrom = async (country: string) => {
      const sent = { 'x-client-region': country }
      const response = await guest.search(searchRequest(), behindProxy.url, sent)
      await finishBackgroundWork({ service: behindProxy })
      return pricesOf(response)[0]?.['currency']
    }
    expect(await currencyFrom('PK')).toBe('PKR')
    expect(await currencyFrom('AE')).toBe('PKR')
    const withoutRecord = await startSessionClient(behindProxy.url, { 'x-client-region': 'PK' })
    const moved = await withoutRecord.getSession(behindProxy.url, { 'x-client-region': 'AE' })
    expect(moved.body['currencyPreference']).toBe('AED')
  })

  it('is not derived from the caller’s own country header', async () => {
    const { body } = await post(fixture.service.url, '/session', {
      headers: { 'x-client-region': 'DE' },
    })
    expect(body['currencyPreference']).toBe('AFN')
  })
})

describe('the response to a preference change', () => {
  it('is the same when the request is repeated, and the change is made once', async () => {
    const guest = await startSession()
    const key = { 'idempotency-key': newId('req') }
    const first = await guest.change('locale', { locale: 'ps-AF' }, key)
    await guest.change('locale', { locale: 'fa-AF' })
    const again = await guest.change('locale', { locale: 'ps-AF' }, key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect((await guest.getSession()).body['localePreference']).toBe('fa-AF')
    const other = await guest.change('locale', { locale: 'en' }, key)
    expect([other.status, other.body['code']]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
  })

  it('is scoped to the guest: the same key of another guest is a different request', async () => {
    const [one, other] = [await startSession(), await startSession()]
    const key = { 'idempotency-key': newId('req') }
    await one.change('currency', { currency: 'USD' }, key)
    const response = await other.change('currency', { currency: 'EUR' }, key)
    expect([response.status, response.body['currencyPreference']]).toEqual([200, 'EUR'])
    expect((await one.getSession()).body['currencyPreference']).toBe('USD')
  })

  it('loses none of several concurrent changes', async () => {
    const guest = await startSession()
    const responses = await Promise.all([
      guest.change('locale', { locale: 'ps-AF' }),
      guest.change('currency', { currency: 'GBP' }),
      guest.change('consent', { marketing: true }),
      guest.search(searchRequest()),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await guest.getSession()).body).toMatchObject({
      localePreference: 'ps-AF',
      currencyPreference: 'GBP',
      flags: { consentTelemetry: true, consentMarketing: true },
    })
  })

  it('contains no searches and no ids, because it is stored for replays', async () => {
    const guest = await startSession()
    await guest.search(searchRequest({ geo: { mode: 'city', city: 'herat' } }))
    const { text } = await guest.change('locale', { locale: 'ps-AF' })
    expect(text).not.toMatch(/herat|srs_|gms_/)
  })
})

describe('C8 a change of language or currency', () => {
  it('is published once, with the previous value, and only if the value changes', async () => {
    const guest = await startSession()
    await guest.change('locale', { locale: 'en' })
    await guest.change('currency', { currency: 'AFN' })
    expect(await eventNamesOf(guest.id)).toEqual(['session.started.v1'])
    const key = { 'idempotency-key': newId('req') }
    for (const _times of [1, 2]) await guest.change('locale', { locale: 'fa-AF' }, key)
    await guest.change('currency', { currency: 'USD' })
    const events = await publishedEvents(fixture, guest.id)
    const names = ['session.started.v1', 'locale.changed.v1', 'currency.changed.v1']
    expect(eventNames(events)).toEqual(names)
    expect(events[1]?.payload).toEqual({
      guestSessionId: guest.id,
      previousLocale: 'en',
      locale: 'fa-AF',
      changedAt: expect.any(String),
    })
    expect(events[2]?.payload).toMatchObject({ previousCurrency: 'AFN', currency: 'USD' })
    expect(events[1]?.envelope).toMatchObject({ sessionId: guest.id, tenantId: null })
  })

  it('is published when a continued session changes it', async () => {
    const guest = await startSession()
    const json = { locale: 'ps-AF', currency: 'EUR' }
    await post(fixture.service.url, '/session', { json, headers: { cookie: guest.cookie } })
    const names = ['session.started.v1', 'locale.changed.v1', 'currency.changed.v1']
    expect(await eventNamesOf(guest.id)).toEqual(names)
  })

  it.each([
    ['without consent', { consent: { telemetry: false } }, {}],
    ['under DNT', {}, { dnt: '1' }],
    ['under GPC', {}, { 'sec-gpc': '1' }],
  ])('is not published %s', async (_why, json, more) => {
    const guest = await startSession({}, json)
    await guest.change('locale', { locale: 'ps-AF' }, more)
    const { body } = await guest.change('currency', { currency: 'GBP' }, more)
    expect(body).toMatchObject({ localePreference: 'ps-AF', currencyPreference: 'GBP' })
    const events = await eventNamesOf(guest.id)
    expect(events.filter((name) => name.includes('changed'))).toEqual([])
  })
})

/** One case of every validation error. */
const WRONG: readonly (readonly [string, unknown, number, string, string])[] = [
  ['locale', {}, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: '' }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: 7 }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: null }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: ['ps-AF'] }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: 'x'.repeat(36) }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: 'en', currency: 'USD' }, 400, 'GENERAL.VALIDATION_FAILED', '/currency'],
  ['locale', { locale: 'tlh' }, 422, 'BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
  ['locale', { locale: 'en,ps' }, 422, 'BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
  ['locale', { locale: 'ar' }, 422, 'BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
  ['locale', { locale: '__proto__' }, 422, 'BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
  ['currency', {}, 400, 'GENERAL.VALIDATION_FAILED', '/currency'],
  ['currency', { currency: 971 }, 400, 'GENERAL.VALIDATION_FAILED', '/currency'],
  ['currency', { currency: 'A'.repeat(9) }, 400, 'GENERAL.VALIDATION_FAILED', '/currency'],
  ['currency', { currency: 'XAU' }, 422, 'BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', '/currency'],
  ['currency', { currency: 'afn' }, 422, 'BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', '/currency'],
  ['currency', { currency: 'toString' }, 422, 'BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', '/currency'],
  ['consent', {}, 400, 'GENERAL.VALIDATION_FAILED', ''],
  ['consent', { telemetry: 'no' }, 400, 'GENERAL.VALIDATION_FAILED', '/telemetry'],
  ['consent', { telemetry: null }, 400, 'GENERAL.VALIDATION_FAILED', '/telemetry'],
  ['consent', { marketing: 1 }, 400, 'GENERAL.VALIDATION_FAILED', '/marketing'],
  ['consent', { analytics: true }, 400, 'GENERAL.VALIDATION_FAILED', '/analytics'],
  ['clear', { sure: true }, 400, 'GENERAL.VALIDATION_FAILED', '/sure'],
  ['clear', [], 400, 'GENERAL.VALIDATION_FAILED', ''],
]

describe('an invalid change', () => {
  it.each(WRONG)('%s %j: %s %s at %j', async (what, json, status, code, pointer) => {
    const guest = await startSession()
    const before = (await guest.getSession()).text
    const response = await guest.change(what, json)
    expect([response.status, response.body['code']]).toEqual([status, `MELMASTOON.${code}`])
    const errors = response.body['errors'] as { pointer: string }[]
    expect(errors.map((error) => error.pointer)).toContain(pointer)
    expect((await guest.getSession()).text).toBe(before)
  })

  it.each([
    ['a malformed body', '{"locale":', {}, 400, 'MALFORMED_BODY'],
    ['a prototype', '{"__proto__":{"locale":"en"}}', {}, 400, 'MALFORMED_BODY'],
    ['plain text', 'ps-AF', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another site', '{}', { 'sec-fetch-site': 'cross-site' }, 403, 'CROSS_SITE_REQUEST'],
    ['a body of 65 KiB', `{"locale":"${'a'.repeat(66_000)}"}`, {}, 413, 'PAYLOAD_TOO_LARGE'],
  ])('sent as %s is rejected by every route', async (_what, raw, more, status, code) => {
    const guest = await startSession()
    for (const path of ['locale', 'currency', 'consent', 'clear']) {
      const headers = { cookie: guest.cookie, 'idempotency-key': newId('req'), ...more }
      const response = await post(fixture.service.url, `/session/${path}`, { raw, headers })
      expect([response.status, response.body['code']]).toEqual([
        status,
        `MELMASTOON.GENERAL.${code}`,
      ])
    }
    expect((await guest.getSession()).status).toBe(200)
  })

  it.each([
    ['locale', { locale: 'en' }],
    ['currency', { currency: 'USD' }],
    ['consent', { telemetry: false }],
  ])('%s: no key is 400, no session is 401', async (what, json) => {
    const guest = await startSession()
    const path = `/session/${what}`
    const bare = await post(fixture.service.url, path, { json, headers: { cookie: guest.cookie } })
    expect([bare.status, bare.body['code']]).toEqual([400, 'MELMASTOON.IDEMPOTENCY.KEY_MISSING'])
    const anonymous = await change(fixture.service.url, path, json)
    expect([anonymous.status, anonymous.body['code']]).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    expect(cookieOf(anonymous)).toBe('')
  })

  it('is evaluated again when it is repeated', async () => {
    const guest = await startSession()
    const key = { 'idempotency-key': newId('req') }
    for (const _times of [1, 2]) {
      const response = await guest.change('currency', { currency: 'XAU' }, key)
      expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([422, null])
    }
  })
})
