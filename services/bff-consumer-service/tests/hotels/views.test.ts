import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  getHotel,
  getPath,
  hotelOf,
  ownHeadersOf,
  PREFERENCES,
  warmUp,
} from '../harness/hotel-client.ts'
import { createGuest, type Fixture, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await warmUp(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const guestOf = (headers: Record<string, string> = {}) => createGuest(fixture.service.url, headers)

async function viewedBy({ cookie }: { cookie: string }): Promise<string[]> {
  const { body } = await getPath(fixture.service.url, '/session', { headers: { cookie } })
  return (body['recentlyViewed'] as { propertyId: string }[]).map(({ propertyId }) => propertyId)
}

describe('C4 a guest who views a hotel', () => {
  it('finds it among the recently viewed hotels, and gets the same page as all guests', async () => {
    const guest = await guestOf()
    const { propertyId, tenantId } = hotelOf(fixture.upstreams, 1)
    const { url } = fixture.service
    const response = await getHotel(url, propertyId, { headers: { cookie: guest.cookie } })
    expect(ownHeadersOf(response)).toEqual([])
    expect(response.text).toBe((await getHotel(url, propertyId)).text)
    expect(response.headers.get('cache-control')).toContain('public')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    await expect.poll(() => viewedBy(guest)).toEqual([propertyId])
    const { body } = await getPath(url, '/session', { headers: { cookie: guest.cookie } })
    expect(body['recentlyViewed']).toMatchObject([{ tenantId, source: 'detail-link' }])
  })

  it('is not counted for a prefetch or a HEAD request', async () => {
    const guest = await guestOf()
    const { cookie } = guest
    const { url } = fixture.service
    const [guessed, headed, seen] = [2, 3, 4].map((at) => hotelOf(fixture.upstreams, at).propertyId)
    const prefetch = { cookie, 'sec-purpose': 'prefetch;prerender' }
    await getHotel(url, String(guessed), { headers: prefetch })
    await getHotel(url, String(headed), { headers: { cookie }, method: 'HEAD' })
    await getHotel(url, String(seen), { headers: { cookie } })
    await expect.poll(() => viewedBy(guest)).toEqual([seen])
  })

  it('ignores the preferences of the session: the URL and headers decide', async () => {
    const guest = await guestOf({ 'accept-language': 'ps-AF', 'x-currency': 'USD' })
    const { propertyId } = hotelOf(fixture.upstreams, 5)
    const headers = { cookie: guest.cookie, 'accept-language': 'en' }
    const response = await getHotel(fixture.service.url, propertyId, { query: {}, headers })
    expect(response.body['cheapestRateSnapshot']).toMatchObject({ currency: 'AFN' })
    expect(response.headers.get('vary')).toBe('Accept-Language, X-Currency, Accept-Encoding')
  })

  it('sets no cookie, whatever the status', async () => {
    const { url } = fixture.service
    const { propertyId } = hotelOf(fixture.upstreams, 6)
    const stale = { cookie: '__Host-gms_id=gms_01J00000000000000000000000.x' }
    const responses = await Promise.all([
      getHotel(url, propertyId),
      getHotel(url, propertyId, { headers: stale }),
      getHotel(url, 'ppt_01J00000000000000000000000'),
      getHotel(url, propertyId, { query: { ...PREFERENCES, adults: '0' } }),
      getPath(url, `/hotels/${propertyId}/price`, { headers: stale }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 400, 200])
    expect(responses.map(({ headers }) => headers.has('set-cookie'))).not.toContain(true)
  })
})
