import { CURRENCY_CODES, LOCALES, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GuestSessionVM } from '../../src/sessions/guest-session.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { namesOf, settle, tellAll, toldOf } from '../harness/published-events.ts'
import { change, get, meetOwner } from '../harness/session-client.ts'
import {
  aSearch,
  cookieOf,
  type Fixture,
  post,
  pricesOf,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await tellAll(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const meet = (headers: Record<string, string> = {}, json: unknown = {}) =>
  meetOwner(fixture.service.url, headers, json)
const namesToldOf = async (id: string) => namesOf(await toldOf(fixture, id))

describe('C1 GET /session', () => {
  it('shows a guest her own, and no cache keeps it', async () => {
    const guest = await meet()
    const seen = await guest.see()
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(closedCheck(GuestSessionVM)(seen.body)).toEqual([])
    expect(seen.body['id']).toBe(guest.id)
    expect(seen.text).not.toMatch(/sha256|tenantId/)
  })

  it.each([
    ['without a cookie', {}],
    ['with one that is nobody’s', { cookie: `__Host-gms_id=${newId('gms')}.s1.${'A'.repeat(43)}` }],
  ])('is 401 %s, and begins nothing', async (_what, headers) => {
    const answer = await get(fixture.service.url, '/session', headers)
    expect([answer.status, answer.body['code']]).toEqual([401, 'MELMASTOON.SESSION.COOKIE_INVALID'])
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('C10 language', () => {
  it.each(LOCALES)('%s is set, seen again, and used upstream', async (locale) => {
    const guest = await meet()
    const set = await guest.set('locale', { locale })
    expect([set.status, set.body]).toEqual([
      200,
      {
        localePreference: locale,
        currencyPreference: 'AFN',
        flags: { consentTelemetry: true, consentMarketing: false },
      },
    ])
    expect(set.headers.get('cache-control')).toBe('no-store')
    expect((await guest.see()).body['localePreference']).toBe(locale)
    await guest.search(aSearch({ occupancy: { adults: 3, rooms: 1 + LOCALES.indexOf(locale) } }))
    const asked = fixture.upstreams.asked.findLast(({ upstream }) => upstream === 'search')
    expect(asked?.body['locale'] ?? asked?.headers['accept-language']).toBe(locale)
  })

  it('once set, no browser overrides it, in no request', async () => {
    const guest = await meet({ 'accept-language': 'en' })
    await guest.set('locale', { locale: 'fa-AF' })
    const sent = { 'accept-language': 'ps-AF,en;q=0.9' }
    const answer = await guest.search(aSearch(), fixture.service.url, sent)
    const [card] = answer.body['items'] as { thumbnail: { alt: string } }[]
    expect(card?.thumbnail.alt).toBe('خانه')
    await post(fixture.service.url, '/session', { headers: { cookie: guest.cookie, ...sent } })
    expect((await guest.see(undefined, sent)).body['localePreference']).toBe('fa-AF')
  })

  it('of one request is for that one', async () => {
    const guest = await meet({}, { locale: 'fa-AF' })
    await guest.search(aSearch({ locale: 'ps-AF' }))
    expect((await guest.see()).body['localePreference']).toBe('fa-AF')
  })
})

describe('C10 currency', () => {
  it.each(CURRENCY_CODES)('%s is set, seen again, asked for and shown', async (currency) => {
    const guest = await meet()
    expect((await guest.set('currency', { currency })).body['currencyPreference']).toBe(currency)
    expect((await guest.see()).body['currencyPreference']).toBe(currency)
    const { asked } = fixture.upstreams
    const before = asked.length
    const answer = await guest.search(aSearch({ occupancy: { adults: 4 } }))
    expect(pricesOf(answer).map((rate) => rate?.['currency'])).toEqual(
      pricesOf(answer).map(() => currency),
    )
    const calls = asked.slice(before).filter(({ upstream }) => upstream === 'pricing')
    expect(calls.map(({ body }) => body['currency'])).toEqual(calls.map(() => currency))
    expect(calls.length).toBeGreaterThan(0)
  })

  it('of a header is for one request, and changes nothing that is kept', async () => {
    const guest = await meet()
    await guest.set('currency', { currency: 'EUR' })
    const sent = { 'x-currency': 'PKR' }
    const answer = await guest.search(aSearch(), fixture.service.url, sent)
    expect(pricesOf(answer)[0]?.['currency']).toBe('PKR')
    await post(fixture.service.url, '/session', { headers: { cookie: guest.cookie, ...sent } })
    expect((await guest.see()).body['currencyPreference']).toBe('EUR')
    expect(pricesOf(await guest.search(aSearch()))[0]?.['currency']).toBe('EUR')
  })

  it('is guessed from the country that a trusted proxy names, until there is a record', async () => {
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
    const guest = await meetOwner(behindProxy.url, { 'x-client-region': 'PK' })
    const currencyFrom = async (country: string) => {
      const sent = { 'x-client-region': country }
      const answer = await guest.search(aSearch(), behindProxy.url, sent)
      await settle({ service: behindProxy })
      return pricesOf(answer)[0]?.['currency']
    }
    expect(await currencyFrom('PK')).toBe('PKR')
    expect(await currencyFrom('AE')).toBe('PKR')
    const withoutRecord = await meetOwner(behindProxy.url, { 'x-client-region': 'PK' })
    const moved = await withoutRecord.see(behindProxy.url, { 'x-client-region': 'AE' })
    expect(moved.body['currencyPreference']).toBe('AED')
  })

  it('is not guessed from what a caller says about herself', async () => {
    const { body } = await post(fixture.service.url, '/session', {
      headers: { 'x-client-region': 'DE' },
    })
    expect(body['currencyPreference']).toBe('AFN')
  })
})

describe('the answer to a choice', () => {
  it('is the same when the request is repeated, and the choice is made once', async () => {
    const guest = await meet()
    const key = { 'idempotency-key': newId('req') }
    const first = await guest.set('locale', { locale: 'ps-AF' }, key)
    await guest.set('locale', { locale: 'fa-AF' })
    const again = await guest.set('locale', { locale: 'ps-AF' }, key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect((await guest.see()).body['localePreference']).toBe('fa-AF')
    const other = await guest.set('locale', { locale: 'en' }, key)
    expect([other.status, other.body['code']]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
  })

  it('is the guest’s own: the same key of another is another request', async () => {
    const [one, other] = [await meet(), await meet()]
    const key = { 'idempotency-key': newId('req') }
    await one.set('currency', { currency: 'USD' }, key)
    const hers = await other.set('currency', { currency: 'EUR' }, key)
    expect([hers.status, hers.body['currencyPreference']]).toEqual([200, 'EUR'])
    expect((await one.see()).body['currencyPreference']).toBe('USD')
  })

  it('loses no choice among those made at once', async () => {
    const guest = await meet()
    const answers = await Promise.all([
      guest.set('locale', { locale: 'ps-AF' }),
      guest.set('currency', { currency: 'GBP' }),
      guest.set('consent', { marketing: true }),
      guest.search(aSearch()),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await guest.see()).body).toMatchObject({
      localePreference: 'ps-AF',
      currencyPreference: 'GBP',
      flags: { consentTelemetry: true, consentMarketing: true },
    })
  })

  it('holds nothing of what she looked at, because it is kept', async () => {
    const guest = await meet()
    await guest.search(aSearch({ geo: { mode: 'city', city: 'herat' } }))
    const { text } = await guest.set('locale', { locale: 'ps-AF' })
    expect(text).not.toMatch(/herat|srs_|gms_/)
  })
})

describe('C8 a change of language or currency', () => {
  it('is told once, with what it was before, and only when it is one', async () => {
    const guest = await meet()
    await guest.set('locale', { locale: 'en' })
    await guest.set('currency', { currency: 'AFN' })
    expect(await namesToldOf(guest.id)).toEqual(['session.started.v1'])
    const key = { 'idempotency-key': newId('req') }
    for (const _times of [1, 2]) await guest.set('locale', { locale: 'fa-AF' }, key)
    await guest.set('currency', { currency: 'USD' })
    const told = await toldOf(fixture, guest.id)
    const names = ['session.started.v1', 'locale.changed.v1', 'currency.changed.v1']
    expect(namesOf(told)).toEqual(names)
    expect(told[1]?.payload).toEqual({
      guestSessionId: guest.id,
      previousLocale: 'en',
      locale: 'fa-AF',
      changedAt: expect.any(String),
    })
    expect(told[2]?.payload).toMatchObject({ previousCurrency: 'AFN', currency: 'USD' })
    expect(told[1]?.envelope).toMatchObject({ sessionId: guest.id, tenantId: null })
  })

  it('is told as well when a session goes on with another', async () => {
    const guest = await meet()
    const json = { locale: 'ps-AF', currency: 'EUR' }
    await post(fixture.service.url, '/session', { json, headers: { cookie: guest.cookie } })
    const names = ['session.started.v1', 'locale.changed.v1', 'currency.changed.v1']
    expect(await namesToldOf(guest.id)).toEqual(names)
  })

  it.each([
    ['without consent', { consent: { telemetry: false } }, {}],
    ['under DNT', {}, { dnt: '1' }],
    ['under GPC', {}, { 'sec-gpc': '1' }],
  ])('is told to nobody %s', async (_why, json, more) => {
    const guest = await meet({}, json)
    await guest.set('locale', { locale: 'ps-AF' }, more)
    const { body } = await guest.set('currency', { currency: 'GBP' }, more)
    expect(body).toMatchObject({ localePreference: 'ps-AF', currencyPreference: 'GBP' })
    const told = await namesToldOf(guest.id)
    expect(told.filter((name) => name.includes('changed'))).toEqual([])
  })
})

/** One of each way to say it wrongly. */
const WRONG: readonly (readonly [string, unknown, number, string, string])[] = [
  ['locale', {}, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: '' }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: 7 }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: null }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: ['ps-AF'] }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: 'x'.repeat(36) }, 400, 'GENERAL.VALIDATION_FAILED', '/locale'],
  ['locale', { locale: 'en', currency: 'USD' }, 400, 'GENERAL.VALIDATION_FAILED', '/currency'],
  ['locale', { locale: 'tlh' }, 422, 'BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
  ['locale', { locale: 'PS-AF' }, 422, 'BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
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

describe('what is said wrongly', () => {
  it.each(WRONG)('%s %j: %s %s at %j', async (what, json, status, code, pointer) => {
    const guest = await meet()
    const before = (await guest.see()).text
    const answer = await guest.set(what, json)
    expect([answer.status, answer.body['code']]).toEqual([status, `MELMASTOON.${code}`])
    const errors = answer.body['errors'] as { pointer: string }[]
    expect(errors.map((error) => error.pointer)).toContain(pointer)
    expect((await guest.see()).text).toBe(before)
  })

  it.each([
    ['a malformed body', '{"locale":', {}, 400, 'MALFORMED_BODY'],
    ['a prototype', '{"__proto__":{"locale":"en"}}', {}, 400, 'MALFORMED_BODY'],
    ['plain text', 'ps-AF', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another site', '{}', { 'sec-fetch-site': 'cross-site' }, 403, 'CROSS_SITE_REQUEST'],
    ['a body of 65 KiB', `{"locale":"${'a'.repeat(66_000)}"}`, {}, 413, 'PAYLOAD_TOO_LARGE'],
  ])('as %s is refused everywhere', async (_what, raw, more, status, code) => {
    const guest = await meet()
    for (const path of ['locale', 'currency', 'consent', 'clear']) {
      const headers = { cookie: guest.cookie, 'idempotency-key': newId('req'), ...more }
      const answer = await post(fixture.service.url, `/session/${path}`, { raw, headers })
      expect([answer.status, answer.body['code']]).toEqual([status, `MELMASTOON.GENERAL.${code}`])
    }
    expect((await guest.see()).status).toBe(200)
  })

  it.each([
    ['locale', { locale: 'en' }],
    ['currency', { currency: 'USD' }],
    ['consent', { telemetry: false }],
  ])('%s: no key is 400, no session is 401', async (what, json) => {
    const guest = await meet()
    const path = `/session/${what}`
    const bare = await post(fixture.service.url, path, { json, headers: { cookie: guest.cookie } })
    expect([bare.status, bare.body['code']]).toEqual([400, 'MELMASTOON.IDEMPOTENCY.KEY_MISSING'])
    const nobody = await change(fixture.service.url, path, json)
    expect([nobody.status, nobody.body['code']]).toEqual([401, 'MELMASTOON.SESSION.COOKIE_INVALID'])
    expect(cookieOf(nobody)).toBe('')
  })

  it('is judged anew when it is said again', async () => {
    const guest = await meet()
    const key = { 'idempotency-key': newId('req') }
    for (const _times of [1, 2]) {
      const answer = await guest.set('currency', { currency: 'XAU' }, key)
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([422, null])
    }
  })
})
