import { createBrowser, eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { whileBroken } from '../harness/stays.ts'

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

const slugOf = ({ body }: { body: Record<string, unknown> }) => body['tenantSlug'] ?? body['code']

/** `GET /api/bootstrap` with these headers. */
const byHost = (headers: Record<string, string>) =>
  createBrowser({ url: booking.service.url, base: '/api' }).get('/bootstrap', { headers })

const byPath = (slug: string, headers: Record<string, string> = {}) =>
  createBrowser({ url: booking.service.url, base: '/bff/tenant-booking/v1' }).get(
    `/${slug}/bootstrap`,
    { headers },
  )

const NOT_FOUND = 'MELMASTOON.BFF.TENANT.SITE_NOT_FOUND'

describe('T1 the site of a request', () => {
  it.each([
    ['a subdomain', `${SLUG}.localhost`],
    ['with a port', `${SLUG}.localhost:8082`],
    ['in capitals', `${SLUG.toUpperCase()}.LocalHost`],
    ['with the dot of the root', `${SLUG}.localhost.`],
  ])('is that of the host: %s', async (_name, host) => {
    expect(slugOf(await byHost({ host }))).toBe(SLUG)
  })

  it('is that of a domain of the hotel, from its registration on', async () => {
    const host = 'booking.creek-pearl.example'
    expect(slugOf(await byHost({ host }))).toBe(NOT_FOUND)
    const { tenantId } = await booking.platform.tenant(SLUG)
    await booking.platform.addDomain(tenantId, host)
    await expect.poll(async () => slugOf(await byHost({ host }))).toBe(SLUG)
    const cookie = (await byHost({ host })).headers.get('set-cookie')
    expect(cookie).toMatch(/^__Host-tnt_id=/)
  })

  it.each([
    ['no tenant', 'no-such-hotel.localhost'],
    ['the domain of the platform', 'localhost'],
    ['two labels', `a.${SLUG}.localhost`],
    ['an encoded label', 'xn--abc.localhost'],
    ['an address', '127.0.0.1'],
    ['an unknown domain', 'unknown.example'],
    ['not a host', 'a_b/c'],
    ['a suffix without a dot', `${SLUG}localhost`],
  ])('is not found: %s', async (_name, host) => {
    const { status, body } = await byHost({ host })
    expect([status, body['code']]).toEqual([404, NOT_FOUND])
  })

  it.each(['no-such-hotel', 'UPPER', '..', 'a%2Fb', 'x'.repeat(64), '%00'])(
    'is not found by the path %s',
    async (slug) => {
      expect((await byPath(slug)).status).toBeGreaterThanOrEqual(400)
    },
  )

  it('cannot be changed by a header that a client adds', async () => {
    const headers = {
      'x-forwarded-host': `${OTHER_SLUG}.localhost`,
      forwarded: `host=${OTHER_SLUG}.localhost`,
      'x-original-host': `${OTHER_SLUG}.localhost`,
      'x-tenant-id': 'tnt_01M7FC6NAZTK5DQAH1ERAP2K0T',
    }
    expect(slugOf(await byHost({ host: `${SLUG}.localhost`, ...headers }))).toBe(SLUG)
    expect(slugOf(await byPath(SLUG, { host: `${OTHER_SLUG}.localhost`, ...headers }))).toBe(SLUG)
  })

  it('a warm cache of one hotel is never read at another', async () => {
    const tenant = async (slug: string) => (await booking.platform.tenant(slug)).tenantId
    for (const slug of [SLUG, OTHER_SLUG, SLUG, OTHER_SLUG]) {
      const [path, host] = [await byPath(slug), await byHost({ host: `${slug}.localhost` })]
      const { tenantId } = path.body
      expect([tenantId, host.body['tenantId']]).toEqual([await tenant(slug), await tenant(slug)])
    }
    const other = await booking.otherSite.browser().get('/policies')
    expect(other.text).not.toBe((await booking.site.browser().get('/policies')).text)
  })
})

describe('names that are not known', () => {
  it('are limited per address, and known sites still respond', async () => {
    await using service = await booking.startAnother()
    const site = booking.site.at(service.url)
    expect((await site.browser().get('/policies')).status).toBe(200)
    const browser = createBrowser({ url: service.url, base: '/bff/tenant-booking/v1' })
    const read = async (name: string) => (await browser.get(`/${name}/policies`)).status
    // While the tenant service is down lookups are quick, and they count all the same.
    await whileBroken(booking, ['tenant', { kind: 'down' }], async () => {
      const statuses: number[] = []
      for (let count = 0; count < 300; count += 1) statuses.push(await read(`invented-${count}`))
      expect(new Set(statuses)).toEqual(new Set([503, 429]))
      expect(statuses.slice(0, 200)).not.toContain(429)
      expect((await site.browser().get('/policies')).status).toBe(200)
    })
  })
})

describe('D23 a suspended hotel', () => {
  it('is unavailable at all addresses and processes within a second of the event', async () => {
    await using second = await booking.startAnother()
    const { tenantId } = await booking.platform.tenant(OTHER_SLUG)
    const sites = [booking.otherSite, booking.otherSite.at(second.url)]
    const statuses = async () =>
      Promise.all(
        sites.flatMap((site) =>
          (['path', 'host'] as const).map(
            async (address) => (await site.browser(address).get('/policies')).status,
          ),
        ),
      )
    expect(await statuses()).toEqual([200, 200, 200, 200])
    await booking.platform.suspend(tenantId)
    await eventually(async () => expect(await statuses()).toEqual([503, 503, 503, 503]))
    const { body, headers } = await booking.otherSite.browser().get('/policies')
    expect(body['code']).toBe('MELMASTOON.BFF.TENANT.SITE_SUSPENDED')
    expect(headers.get('retry-after')).toBe('300')
    expect((await booking.site.browser().get('/policies')).status).toBe(200)
    await booking.platform.reactivate(tenantId)
    await eventually(async () => expect(await statuses()).toEqual([200, 200, 200, 200]))
  })
})
