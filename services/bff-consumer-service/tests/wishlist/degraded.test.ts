import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayFromNow, type Fixture, sectionsOf, startFixture } from '../harness/start-consumer.ts'
import {
  hotelsOf,
  startWishlistClient,
  unavailableOf,
  wishesOf,
} from '../harness/wishlist-client.ts'

let fixture: Fixture
let ids: string[]

beforeAll(async () => {
  fixture = await startFixture()
  ids = fixture.upstreams.hotels.map(({ propertyId }) => propertyId)
})
beforeEach(async () => {
  fixture.upstreams.reset()
  await dropCaches(...ids)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const STAY = `?checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}`
const LONG_TIMEOUT = { timeout: 10_000 }
const FRESH = { wishes: 'fresh', listings: 'fresh', brands: 'fresh', prices: 'fresh' }
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, String(body['code'])] as const

/** Caches the brands, and closes breakers that a test opened before the next one. */
async function wish(count: number) {
  const guest = await startWishlistClient(fixture.service.url)
  for (const id of ids.slice(0, count)) {
    await expect.poll(async () => (await guest.add(id)).status, LONG_TIMEOUT).toBeLessThan(300)
  }
  await expect.poll(async () => (await guest.list(STAY)).body['degraded'], LONG_TIMEOUT).toBe(false)
  return guest
}

const dropCaches = (...propertyIds: (string | undefined)[]) =>
  fixture.service.ctx.cache.invalidate(propertyIds.map((id) => `listing:${id}`))

describe('C6 a wishlist', () => {
  it.each(['down', 'hanging', 'invalid'] as const)(
    'with pricing %s has no prices, and is marked as degraded',
    async (mode) => {
      const guest = await wish(2)
      fixture.upstreams.behaviour.pricing.mode = mode
      const response = await guest.list(STAY)
      expect(response.status).toBe(200)
      expect(sectionsOf(response)).toEqual({ ...FRESH, prices: 'missing' })
      expect(response.body['degraded']).toBe(true)
      expect(wishesOf(response).map(({ card }) => card?.rateSnapshot)).toEqual([
        undefined,
        undefined,
      ])
    },
  )

  it('with the theme service down has neutral colours', async () => {
    const guest = await wish(1)
    const { tenantId = '' } = fixture.upstreams.hotels[0] ?? {}
    await fixture.service.ctx.cache.invalidate([`brand:${tenantId}`])
    fixture.upstreams.behaviour.theme.mode = 'down'
    const response = await guest.list()
    expect(sectionsOf(response)['brands']).toBe('missing')
    expect(wishesOf(response)[0]?.card?.['brandPeek']).toMatchObject({ primaryColor: '#5f6b7a' })
  })

  it('with search down contains the cached hotels, and lists the others', async () => {
    const guest = await wish(2)
    await dropCaches(ids[0])
    fixture.upstreams.behaviour.search.mode = 'down'
    const response = await guest.list()
    expect([response.status, response.body['size'], sectionsOf(response)['listings']]).toEqual([
      200,
      2,
      'missing',
    ])
    expect(hotelsOf(response)).toEqual([ids[1]])
    expect(unavailableOf(response)).toMatchObject([{ propertyId: ids[0], reason: 'not-loaded' }])
  })

  it('with search down and empty caches is an error with a code', async () => {
    const guest = await wish(2)
    await dropCaches(ids[0], ids[1])
    fixture.upstreams.behaviour.search.mode = 'down'
    expect(codeOf(await guest.list())).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
  })

  it.each([
    ['down', 503, 'UPSTREAM_UNAVAILABLE'],
    ['rejecting', 502, 'UPSTREAM_REQUEST_REJECTED'],
  ] as const)(
    'with search %s accepts no hotel that cannot be verified',
    async (mode, ...rejection) => {
      const guest = await wish(1)
      fixture.upstreams.behaviour.search.mode = mode
      const [status, code] = rejection
      expect(codeOf(await guest.add(ids[5] ?? ''))).toEqual([status, `MELMASTOON.BFF.${code}`])
    },
  )

  it('removes a hotel while search is down', async () => {
    const guest = await wish(1)
    fixture.upstreams.behaviour.search.mode = 'down'
    expect((await guest.remove(ids[0] ?? '')).status).toBe(204)
  })
})
