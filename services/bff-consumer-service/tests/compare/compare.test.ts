import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createGuest,
  dayFromNow,
  type Fixture,
  post,
  sectionsOf,
  startFixture,
} from '../harness/start-consumer.ts'
import { send } from '../harness/wishlist-client.ts'

let fixture: Fixture
let ids: string[]

beforeAll(async () => {
  fixture = await startFixture()
  ids = fixture.upstreams.hotels.map(({ propertyId }) => propertyId)
  await untilRecovered()
})
beforeEach(async () => {
  fixture.upstreams.reset()
  await fixture.service.ctx.cache.invalidate(ids.map((id) => `listing:${id}`))
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface Compared {
  card: { propertyId: string; city: string; rateSnapshot?: object }
  facts?: Record<string, unknown>
}

const compare = (query: string, headers: Record<string, string> = {}) =>
  send(fixture.service.url, ['GET', `/compare?${query}`], { headers })
const hotelsOf = ({ body }: { body: Record<string, unknown> }) => body['hotels'] as Compared[]
const idsOf = (response: { body: Record<string, unknown> }) =>
  hotelsOf(response).map(({ card }) => card.propertyId)
const FRESH = { listings: 'fresh', brands: 'fresh', facts: 'fresh' }

/** Caches the brands, and closes breakers that a test opened before the next one. */
async function untilRecovered(): Promise<void> {
  await eventually(
    async () => expect(sectionsOf(await compare(`ids=${ids.slice(0, 3).join()}`))).toEqual(FRESH),
    { timeoutMs: 10_000 },
  )
}

describe('GET /compare', () => {
  it('compares hotels in the requested order', async () => {
    const [a, b, c] = ids
    const response = await compare(`ids=${c},${a},${b}`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'private, no-cache',
    ])
    expect(idsOf(response)).toEqual([c, a, b])
    expect(sectionsOf(response)).toEqual(FRESH)
    expect(response.body).toMatchObject({
      degraded: false,
      missing: [],
      amenities: [{ code: 'wifi', name: 'Wi-Fi', has: [true, true, true] }],
    })
    expect(hotelsOf(response)[0]?.facts).toEqual({
      propertyType: 'hotel',
      address: '5 Flower Street',
      checkInTime: '14:00',
      checkOutTime: '11:00',
      cancellation: {
        kind: 'free',
        freeUntilHours: 48,
        penaltyBasisPoints: 0,
        text: 'Free until two days before.',
      },
      roomTypes: 1,
    })
    expect(response.text).not.toContain('ownerPhone')
  })

  it('uses the language of the guest and prices the stay', async () => {
    const guest = await createGuest(fixture.service.url)
    const headers = { cookie: guest.cookie, 'idempotency-key': newId('req') }
    const set = { json: { locale: 'fa-AF' }, headers }
    expect((await post(fixture.service.url, '/session/locale', set)).status).toBe(200)
    const stay = `checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}`
    const response = await compare(`ids=${ids[0]}&${stay}`, { cookie: guest.cookie })
    expect(hotelsOf(response)[0]).toMatchObject({
      card: { city: 'کابل', rateSnapshot: { totalForStayMinor: 500_000 } },
      facts: { cancellation: { text: 'Free until two days before. فا' } },
    })
    expect(sectionsOf(response)).toEqual({ ...FRESH, prices: 'fresh' })
  })

  it('D6 marks a price as stale that pricing has cached for over a minute', async () => {
    const { capturedAt } = fixture.upstreams
    fixture.upstreams.capturedAt = () => new Date(Date.now() - 61_000).toISOString()
    const stay = `checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}`
    const response = await compare(`ids=${ids[0]}&${stay}`)
    fixture.upstreams.capturedAt = capturedAt
    expect(hotelsOf(response)[0]?.card.rateSnapshot).toMatchObject({ isStale: true })
    expect([sectionsOf(response)['prices'], response.body['degraded']]).toEqual(['stale', true])
  })

  it('lists the hotels that are missing', async () => {
    const unknown = newId('ppt')
    const suspended = fixture.upstreams.hotels[1]
    if (suspended === undefined) throw new TypeError('too few hotels')
    const { blocked } = fixture.service.ctx
    const decide = (isBlocked: boolean) =>
      blocked.decide(suspended.tenantId, { blocked: isBlocked, decidedAtMs: Date.now() })
    await decide(true)
    const response = await compare(`ids=${ids[0]},${unknown},${suspended.propertyId}`)
    await decide(false)
    expect([response.status, idsOf(response)]).toEqual([200, [ids[0]]])
    expect(response.body['missing']).toEqual([
      { propertyId: unknown, reason: 'not-found' },
      { propertyId: suspended.propertyId, reason: 'not-found' },
    ])
  })

  it.each<[string, () => string, string]>([
    ['four hotels', () => `ids=${ids.slice(0, 4).join()}`, 'count'],
    ['one hotel twice', () => `ids=${ids[0]},${ids[0]}`, 'unique'],
    ['no hotel', () => 'ids=', 'minLength'],
    ['no ids', () => '', 'required'],
    ['a gap', () => `ids=${ids[0]},`, 'id'],
    ['a tenant', () => `ids=${newId('tnt')}`, 'id'],
  ])('rejects %s', async (_name, query, code) => {
    const response = await compare(query())
    expect([response.status, response.body['code']]).toEqual([
      400,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    ])
    expect(response.body['errors']).toMatchObject([{ pointer: '/query/ids', code }])
  })

  it.each(['down', 'hanging', 'invalid', 'rejecting'] as const)(
    'with the property service %s contains only the cards',
    async (mode) => {
      await untilRecovered()
      await fixture.service.ctx.cache.invalidate(ids.map((id) => `listing:${id}`))
      fixture.upstreams.behaviour.property.mode = mode
      const response = await compare(`ids=${ids[0]},${ids[1]}`)
      expect([response.status, idsOf(response)]).toEqual([200, ids.slice(0, 2)])
      expect(hotelsOf(response).map(({ facts }) => facts)).toEqual([undefined, undefined])
      expect(sectionsOf(response)).toEqual({ ...FRESH, facts: 'missing' })
      expect(response.body).toMatchObject({ degraded: true, amenities: [], missing: [] })
    },
  )

  it('with the search service down and empty caches is an error with a code', async () => {
    await untilRecovered()
    await fixture.service.ctx.cache.invalidate(ids.map((id) => `listing:${id}`))
    fixture.upstreams.behaviour.search.mode = 'down'
    const response = await compare(`ids=${ids[0]}`)
    expect([response.status, response.body['code']]).toEqual([
      503,
      'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
    ])
  })
})
