import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { expectView, hold, quoteOf, withDetails } from '../harness/booking-flow.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import { sessionIdOf } from '../harness/site.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf, whileBroken } from '../harness/stays.ts'

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

describe('D3 the session of a guest', () => {
  it.each([
    ['path', `__Host-tnt_id-${SLUG}`],
    ['host', '__Host-tnt_id'],
  ] as const)('D26 has a cookie by %s: %s', async (address, name) => {
    const { headers } = await booking.site.browser(address).get('/bootstrap')
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(new RegExp(`^${name}=tnt_session_[0-9A-Z]{26}\\.`))
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000']) {
      expect(cookie).toContain(attribute)
    }
    expect(cookie).not.toContain('Domain')
  })

  it('is started once, and stored only with content (P18)', async () => {
    const guest = await booking.site.guest()
    const again = await guest.get('/bootstrap')
    expect(again.headers.get('set-cookie')).toBeNull()
    const { ctx } = booking.service
    const id = guest.sessionId as Parameters<typeof ctx.sessions.find>[0]
    expect(await ctx.sessions.find(id)).toBeNull()
    await guest.post('/session/locale', { locale: 'ps-AF' })
    const { tenantId } = await booking.platform.tenant(SLUG)
    expect((await ctx.sessions.find(id))?.data).toMatchObject({
      tenantId,
      localePreference: 'ps-AF',
      loyaltyContext: null,
      activeBookingDraftId: null,
      deviceClass: 'browser-desktop',
    })
  })

  it('D26 counts as none at another hotel', async () => {
    const guest = await booking.site.guest('host')
    const other = guest.at({ headers: { host: `${OTHER_SLUG}.localhost` } })
    const rejected = await other.post('/session/locale', { locale: 'en' })
    expect([rejected.status, rejected.body['code']]).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    const first = guest.sessionId
    await other.get('/bootstrap')
    expect(sessionIdOf(other)).not.toBe(first)
  })

  it('is required for every change', async () => {
    const { status } = await booking.site.browser().post('/session/currency', { currency: 'USD' })
    expect(status).toBe(401)
  })
})

describe('T17 preferences', () => {
  it('apply to later responses and are published', async () => {
    const guest = await booking.site.guest()
    const { body } = await guest.post('/session/locale', { locale: 'ps' })
    expect(body).toMatchObject({ localePreference: 'ps-AF' })
    await guest.post('/session/currency', { currency: 'USD' })
    const { body: bootstrap } = await guest.get('/bootstrap', {
      headers: { 'accept-language': 'en' },
    })
    expect(bootstrap['theme']).toMatchObject({ locale: 'ps-AF', currency: 'USD' })
    const events = await eventsOf(booking, guest.sessionId)
    const changes = events.filter(({ subject }) => subject.includes('changed'))
    expect(eventNames(changes)).toEqual(['locale.changed.v1', 'currency.changed.v1'])
    expect(changes.map(({ payload }) => payload)).toMatchObject([
      { from: 'en', to: 'ps-AF', isRtlChange: true, sessionId: guest.sessionId },
      { to: 'USD', draftId: null },
    ])
  })

  it('between two languages of one direction is no change of direction', async () => {
    const guest = await booking.site.guest()
    await guest.post('/session/locale', { locale: 'ps-AF' })
    await guest.post('/session/locale', { locale: 'fa-AF' })
    const events = await eventsOf(booking, guest.sessionId)
    expect(events.at(-1)?.payload).toMatchObject({ from: 'ps-AF', isRtlChange: false })
  })

  it.each([
    ['/session/locale', { locale: 'de' }, 'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED'],
    ['/session/currency', { currency: 'GBP' }, 'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED'],
  ])('%s rejects what the hotel does not offer', async (path, json, code) => {
    const { tenantId } = await booking.platform.tenant(SLUG)
    await booking.platform.configure(tenantId, {
      currencies: ['AED', 'USD'],
      primaryCurrency: 'AED',
    })
    const guest = await booking.site.guest()
    await expect.poll(async () => (await guest.post(path, json)).body['code']).toBe(code)
  })

  it('D34 where consent is opt-in, nothing is published until the guest consents', async () => {
    await using strict = await booking.startAnother({}, { TELEMETRY_CONSENT: 'opt-in' })
    const guest = booking.site.browser('path').at({ url: strict.url })
    await guest.get('/bootstrap')
    const published = async () =>
      eventNames(await eventsOf({ ...booking, service: strict }, sessionIdOf(guest)))
    expect(await published()).toEqual([])
    const { body } = await guest.post('/session/consent', { telemetry: true })
    expect(body['consentFlags']).toEqual({ telemetry: true, functional: true })
    await guest.post('/session/locale', { locale: 'fa-AF' })
    expect(await published()).not.toEqual([])
  })

  it('D34 a tenant can require consent where the deployment does not', async () => {
    const { tenantId } = await booking.platform.tenant(OTHER_SLUG)
    const telemetry = async () => {
      const guest = await booking.otherSite.guest()
      const { body } = await guest.post('/session/consent', { functional: true })
      return (body['consentFlags'] as { telemetry: boolean }).telemetry
    }
    expect(await telemetry()).toBe(true)
    await booking.platform.configure(tenantId, { telemetryConsent: 'opt-in' })
    await expect.poll(telemetry).toBe(false)
    const guest = await booking.otherSite.guest()
    expect(eventNames(await eventsOf(booking, guest.sessionId))).toEqual([])
    await booking.platform.configure(tenantId, { telemetryConsent: 'opt-out' })
    await expect.poll(telemetry).toBe(true)
  })

  it('D13 a withdrawal of consent is effective with the response, in every process', async () => {
    await using second = await booking.startAnother()
    const guest = await booking.site.guest()
    await eventsOf(booking, guest.sessionId)
    const { body } = await guest.post('/session/consent', { telemetry: false })
    expect(body['consentFlags']).toEqual({ telemetry: false, functional: true })
    const elsewhere = guest.at({ url: second.url })
    await elsewhere.post('/session/locale', { locale: 'fa-AF' })
    const events = await eventsOf({ ...booking, service: second }, guest.sessionId)
    expect(eventNames(events)).toEqual(['bootstrap.served.v1'])
  })
})

describe('D24 one request, however it is addressed', () => {
  it('a key used by path is known by host', async () => {
    const guest = await booking.site.guest()
    const key = newId('req')
    const first = await guest.post('/session/locale', { locale: 'ps-AF' }, { key })
    const value = guest.cookies.get(`__Host-tnt_id-${SLUG}`) ?? ''
    guest.cookies.set('__Host-tnt_id', value)
    const byHost = guest.at({ base: '/api', headers: { host: `${SLUG}.localhost` } })
    const second = await byHost.post('/session/locale', { locale: 'ps-AF' }, { key })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.text).toBe(first.text)
    const { body } = await byHost.get(`/idempotency/${key}`)
    expect(body).toEqual({ uses: [{ operation: 'booking.locale.set', status: 200 }] })
  })

  it('GET /idempotency/{key} finds no key of another guest or hotel', async () => {
    const guest = await booking.site.guest()
    const key = newId('req')
    await guest.post('/session/locale', { locale: 'ps-AF' }, { key })
    const strangers = [await booking.site.guest(), await booking.otherSite.guest()]
    for (const stranger of strangers) {
      expect((await stranger.get(`/idempotency/${key}`)).status).toBe(404)
    }
    expect((await guest.get('/idempotency/a-key-that-was-never-used')).status).toBe(404)
  })

  it('GET /idempotency/{key} follows the requests of a booking, also while they are executed', async () => {
    const hotel = await hotelOf(booking, SLUG)
    const guest = await booking.site.guest()
    const key = newId('req')
    const usesOf = async () => (await guest.get(`/idempotency/${key}`)).body['uses']
    const quote = await quoteOf(guest, hotel)
    const slow = { kind: 'slow', delayMs: 700, operation: 'hold' } as const
    const held = await whileBroken(booking, ['reservation', slow], async () => {
      const holding = hold(guest, quote, { key })
      await expect.poll(usesOf).toEqual([{ operation: 'booking.hold.place', status: null }])
      return expectView<DraftVM>(await holding, 201)
    })
    const stored = { operation: 'booking.hold.place', status: 201 }
    expect(await usesOf()).toEqual([stored])
    const draft = await withDetails(guest, held)
    const path = `/draft/${draft.draftId}`
    await guest.post(`${path}/payment-intent`, { method: 'card' }, { key })
    // The guest has not paid yet: the response is not stored, so that it can change.
    expect((await guest.post(`${path}/confirm`, {}, { key })).status).toBe(202)
    await guest.delete(path, { key })
    expect(await usesOf()).toEqual([
      { operation: 'booking.draft.confirm', status: null },
      { operation: 'booking.draft.delete', status: 200 },
      stored,
      { operation: 'booking.payment.request', status: 201 },
    ])
  })
})
