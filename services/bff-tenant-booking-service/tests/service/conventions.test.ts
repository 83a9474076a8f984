import { runServiceCommand } from '@melmastoon/chassis/service'
import { newId } from '@melmastoon/domain'
import { send } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { service } from '../../src/service.ts'
import { contracts } from '../harness/booking-environment.ts'
import { expectView, GUEST, hold, quoteOf } from '../harness/booking-flow.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf, stayAt } from '../harness/stays.ts'

let booking: Booking
let hotel: PropertyDetail

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
})
afterAll(() => booking[Symbol.asyncDispose]())

const CURRENCY = 'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED'

it('every response that is a draft has its version as ETag and is not stored', async () => {
  const guest = await booking.site.guest()
  const held = await hold(guest, await quoteOf(guest, hotel))
  const { draftId, version } = expectView<DraftVM>(held, 201)
  const path = `/draft/${draftId}`
  const responses = [
    held,
    await guest.patch(path, { version, guest: GUEST }),
    await guest.get(path),
    await guest.post(`${path}/payment-intent`, { method: 'cash_on_arrival' }),
    await guest.post(`${path}/return`, {}),
    await guest.post(`${path}/confirm`),
  ]
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 201, 202, 200])
  for (const { headers, body } of responses) {
    expect(headers.get('etag')).toBe(`"${String(body['version'])}"`)
    expect(headers.get('cache-control')).toBe('no-store')
  }
  const extended = await guest.post(`${path}/extend`, {})
  expect(extended.status).toBe(410)
})

describe('C21 the language of a response', () => {
  it.each([
    ['en-US', 'en'],
    ['prs', 'fa-AF'],
    ['ps', 'ps-AF'],
  ])('%s is %s, also in Content-Language', async (tag, locale) => {
    const guest = await booking.site.guest()
    const stay = new URLSearchParams({ ...stayAt(hotel, { days: 30 }), adults: '1' }).toString()
    for (const path of [
      '/bootstrap?',
      '/policies?',
      `/availability?propertyId=${hotel.propertyId}&${stay}&`,
    ]) {
      const { status, headers } = await guest.get(`${path}locale=${tag}`)
      expect([path, status, headers.get('content-language')]).toEqual([path, 200, locale])
    }
    const rejected = await guest.get('/policies?locale=de')
    expect([rejected.status, rejected.headers.get('content-language')]).toEqual([422, null])
  })
})

describe('a currency that the site does not have', () => {
  it('is rejected in X-Currency by every route', async () => {
    const guest = await booking.site.guest()
    const headers = { 'x-currency': 'QQQ' }
    for (const response of [
      await guest.get('/bootstrap', { headers }),
      await guest.get('/policies', { headers }),
      await guest.get(`/draft/${newId('bdr')}`, { headers }),
      await guest.get(`/confirmation/${newId('rsv')}`, { headers }),
      await guest.post('/session/consent', { telemetry: true }, { headers }),
      await guest.post(`/draft/${newId('bdr')}/confirm`, {}, { headers }),
    ]) {
      expect([response.status, response.body['code']]).toEqual([422, CURRENCY])
      expect(response.body['errors']).toMatchObject([{ pointer: '/headers/x-currency' }])
    }
  })

  it.each(['', 'usd', 'QQQ', 'dollars please'])('is rejected with one code: “%s”', async (name) => {
    const guest = await booking.site.guest()
    const stay = new URLSearchParams({ ...stayAt(hotel, { days: 30 }), adults: '1' }).toString()
    const query = `currency=${encodeURIComponent(name)}`
    for (const response of [
      await guest.get(`/bootstrap?${query}`),
      await guest.get(`/availability?propertyId=${hotel.propertyId}&${stay}&${query}`),
      await guest.post('/session/currency', { currency: name }),
    ]) {
      expect([response.status, response.body['code']]).toEqual([422, CURRENCY])
    }
  })
})

it.each(['short', 'a-key%20with-a-space', 'two-keys-joined,by-a-comma'])(
  'D24 an invalid key in the path has one code: %s',
  async (key) => {
    const guest = await booking.site.guest()
    const { status, body } = await guest.get(`/idempotency/${key}`)
    expect([status, body['code']]).toEqual([400, 'MELMASTOON.IDEMPOTENCY.KEY_INVALID'])
    expect(body['errors']).toMatchObject([{ pointer: '/params/key' }])
  },
)

it('both listeners name the checks of readiness', async () => {
  const { url, internalUrl } = booking.service
  for (const listener of [url, internalUrl]) {
    const { body } = await send(listener, 'GET', '/health/ready')
    expect(body['checks']).toEqual({ postgres: 'ok', 'redis-session': 'ok', 'redis-cache': 'ok' })
  }
})

it('P15 the command for flags changes what the service reads', async () => {
  const run = (...words: string[]) => runServiceCommand(service, booking.env, ['flags', ...words])
  const { cacheRedis } = booking.service.ctx
  expect(await run('set', 'newIntentsPaused', '"yes"')).toBe(1)
  expect(await cacheRedis.get('bff-tenant-flags')).toBeNull()
  expect(await run('set', 'newIntentsPaused', 'true')).toBe(0)
  expect(await cacheRedis.get('bff-tenant-flags')).toBe('{"newIntentsPaused":true}')
  expect(await run('unset', 'newIntentsPaused')).toBe(0)
  expect(await cacheRedis.get('bff-tenant-flags')).toBe('{}')
})

interface Documented {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
}

it('P14 the document has the headers of requests and responses, and the problems of any path', async () => {
  const document = JSON.parse(await contracts.openApi()) as {
    paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
  }
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.includes('{tenantSlug}'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
  expect(operations.length).toBeGreaterThan(15)
  for (const { path, method, operation } of operations) {
    const names = (operation.parameters ?? []).flatMap((each) =>
      each.in === 'header' ? [each.name] : [],
    )
    const expected = ['accept-language', 'x-currency', 'x-bootstrap-version']
    expect(names, `${method} ${path}`).toEqual(expect.arrayContaining(expected))
    expect(JSON.stringify(operation.responses['default'])).toContain('Problem')
  }
  const drafts = operations.filter(({ path }) => /\{draftId\}|\/hold$/.test(path))
  expect(drafts.length).toBeGreaterThan(7)
  for (const { path, operation } of drafts) {
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
    expect(Object.keys(success?.[1].headers ?? {}), path).toContain('ETag')
  }
  expect(await contracts.openApi()).toContain('`MELMASTOON.GENERAL.METHOD_NOT_ALLOWED`')
  expect(await contracts.openApi()).toContain('`MELMASTOON.GENERAL.ROUTE_NOT_FOUND`')
})
