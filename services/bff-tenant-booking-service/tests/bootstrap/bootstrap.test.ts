import { closedCheck } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TenantBootstrap } from '../../src/bootstrap/bootstrap.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'

type Bootstrap = Record<string, unknown> & {
  theme: { locale: string; currency: string; direction: string }
  locales: { tag: string; isRtl: boolean; direction: string }[]
  currencies: { code: string; isPrimary: boolean; decimalPlaces: number }[]
  paymentMethods: { method: string }[]
  csp: { nonce: string }
  composedFrom: { themeVersion: string; tenantConfigVersion: string }
}

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

const check = closedCheck(TenantBootstrap)

describe('T2 GET /bootstrap', () => {
  it.each(['path', 'host'] as const)(
    'has every member of TenantBootstrap, by %s',
    async (address) => {
      const { status, body, headers } = await booking.site.browser(address).get('/bootstrap')
      expect(status).toBe(200)
      expect(check(body)).toEqual([])
      const bootstrap = body as Bootstrap
      expect(bootstrap.locales.map(({ tag }) => tag)).toContain(bootstrap.theme.locale)
      expect(bootstrap.currencies.map(({ code }) => code)).toContain(bootstrap.theme.currency)
      expect(bootstrap.currencies.filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
      expect(bootstrap.paymentMethods).not.toEqual([])
      expect(bootstrap['tenantSlug']).toBe(SLUG)
      expect(bootstrap).toMatchObject({ degraded: false, handoffPayload: null })
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      const { tenantConfigVersion, themeVersion } = bootstrap.composedFrom
      expect(headers.get('x-bootstrap-version')).toBe(`${tenantConfigVersion}.${themeVersion}`)
    },
  )

  it('has a new nonce and time in every response, and the same cached rest', async () => {
    const browser = booking.site.browser()
    const first = (await browser.get('/bootstrap')).body as Bootstrap
    const second = await browser.get('/bootstrap')
    const { csp, serverTime: _now, ...rest } = second.body as Bootstrap
    const { csp: earlier, serverTime: _then, ...same } = first
    expect(rest).toEqual(same)
    expect(csp.nonce).not.toBe(earlier.nonce)
    expect(second.headers.get('x-cache')).toBe('HIT')
  })

  it('has language, direction and currency of the guest', async () => {
    const headers = { 'accept-language': 'ps-AF', 'x-currency': 'USD' }
    const { body } = await booking.site.browser().get('/bootstrap', { headers })
    expect((body as Bootstrap).theme).toMatchObject({
      locale: 'ps-AF',
      direction: 'rtl',
      currency: 'USD',
    })
    const named = await booking.site.browser().get('/bootstrap?locale=fa&currency=USD')
    expect((named.body as Bootstrap).theme.locale).toBe('fa-AF')
    const unknown = await booking.site.browser().get('/bootstrap?currency=QQQ')
    expect([unknown.status, unknown.body['code']]).toEqual([
      422,
      'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED',
    ])
  })

  it('T11 is reported once per session in five minutes', async () => {
    const guest = await booking.site.guest()
    await guest.get('/bootstrap')
    const events = await eventsOf(booking, guest.sessionId)
    expect(eventNames(events)).toEqual(['bootstrap.served.v1'])
    expect(events[0]?.payload).toMatchObject({
      tenantSlug: SLUG,
      cache: expect.stringMatching(/^(HIT|MISS)$/),
      fanoutLatencyMs: expect.objectContaining({ tenant: null }),
      handoffArrivalId: null,
    })
  })

  it('D13 is not reported for a browser that declines telemetry', async () => {
    const browser = booking.site.browser()
    await browser.get('/bootstrap', { headers: { 'sec-gpc': '1' } })
    const [cookie = ''] = browser.cookies.values()
    expect(await eventsOf(booking, cookie.split('.')[0] ?? '')).toEqual([])
  })

  it('D4 consumes no token for HEAD and prefetches', async () => {
    const { status } = await booking.site.browser().send('HEAD', '/bootstrap?h=not-a-token')
    expect(status).toBe(200)
    const headers = { 'sec-purpose': 'prefetch;prerender', 'x-handoff-token': 'not-a-token' }
    expect((await booking.site.browser().get('/bootstrap', { headers })).status).toBe(200)
    const opened = await booking.site.browser().get('/bootstrap?h=not-a-token')
    expect([opened.status, opened.body['code']]).toEqual([
      401,
      'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID',
    ])
  })
})

describe('T2 changes of the hotel', () => {
  const read = async () => (await booking.otherSite.browser().get('/bootstrap')).body

  it('theme.published.v1 replaces the theme at once', async () => {
    const { tenantId } = await booking.platform.tenant(booking.otherSite.slug)
    const before = (await read()) as Bootstrap
    await booking.platform.publishTheme(tenantId, 'The New Name')
    await expect.poll(read).toMatchObject({ brandName: 'The New Name' })
    const after = (await read()) as Bootstrap
    expect(after.composedFrom.themeVersion).not.toBe(before.composedFrom.themeVersion)
  })

  it('tenant.config_updated.v1 replaces the settings; an outdated page is gone', async () => {
    const { tenantId, config } = await booking.platform.tenant(booking.otherSite.slug)
    const held = { 'x-bootstrap-version': `${config.version}.1` }
    const change = async (checkInTime: string) => {
      await booking.platform.configure(tenantId, { checkInTime })
      await expect.poll(read).toMatchObject({ checkInTime })
    }
    await change('15:01')
    const browser = booking.otherSite.browser()
    expect((await browser.get('/policies', { headers: held })).status).toBe(200)
    for (const time of ['15:02', '15:03', '15:04']) await change(time)
    const { status, body } = await browser.get('/policies', { headers: held })
    expect([status, body['code']]).toEqual([410, 'MELMASTOON.BFF.TENANT.BOOTSTRAP_STALE'])
    expect((await browser.get('/bootstrap')).status).toBe(200)
  })

  it('without a payment method the hotel is shown, but cannot be booked', async () => {
    const { tenantId } = await booking.platform.tenant(booking.otherSite.slug)
    await booking.platform.configure(tenantId, { paymentEnabled: false })
    await expect
      .poll(read)
      .toMatchObject({ code: 'MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED', status: 409 })
    expect((await read())['bootstrap']).toMatchObject({ paymentMethods: [] })
    await booking.platform.configure(tenantId, { paymentEnabled: true })
    await expect.poll(read).toHaveProperty('tenantSlug')
  })
})
