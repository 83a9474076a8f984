import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayFromNow, type Fixture, sectionsOf, startFixture } from '../harness/start-consumer.ts'
import { hotelsOf, meetWishing, unavailableOf, wishesOf } from '../harness/wishlist-client.ts'

let fixture: Fixture
let ids: string[]

beforeAll(async () => {
  fixture = await startFixture()
  ids = fixture.upstreams.hotels.map(({ propertyId }) => propertyId)
})
beforeEach(async () => {
  fixture.upstreams.mend()
  await forget(...ids)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const STAY = `?checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}`
const PATIENCE = { timeout: 10_000 }
const FRESH = { wishes: 'fresh', listings: 'fresh', brands: 'fresh', prices: 'fresh' }
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, String(body['code'])] as const

/** Brands are kept, and breakers opened by one test are shut before the next. */
async function wish(count: number) {
  const guest = await meetWishing(fixture.service.url)
  for (const id of ids.slice(0, count)) {
    await expect.poll(async () => (await guest.add(id)).status, PATIENCE).toBeLessThan(300)
  }
  await expect.poll(async () => (await guest.list(STAY)).body['degraded'], PATIENCE).toBe(false)
  return guest
}

const forget = (...propertyIds: (string | undefined)[]) =>
  fixture.service.ctx.cache.invalidate(propertyIds.map((id) => `listing:${id}`))

describe('C6 a wishlist', () => {
  it.each(['down', 'hanging', 'lying'] as const)(
    'with pricing %s has no prices, and says so',
    async (mood) => {
      const guest = await wish(2)
      fixture.upstreams.behaviour.pricing.mood = mood
      const answer = await guest.list(STAY)
      expect(answer.status).toBe(200)
      expect(sectionsOf(answer)).toEqual({ ...FRESH, prices: 'missing' })
      expect(answer.body['degraded']).toBe(true)
      expect(wishesOf(answer).map(({ card }) => card?.rateSnapshot)).toEqual([undefined, undefined])
    },
  )

  it('with the theme service down is in nobody’s colours', async () => {
    const guest = await wish(1)
    const { tenantId = '' } = fixture.upstreams.hotels[0] ?? {}
    await fixture.service.ctx.cache.invalidate([`brand:${tenantId}`])
    fixture.upstreams.behaviour.theme.mood = 'down'
    const answer = await guest.list()
    expect(sectionsOf(answer)['brands']).toBe('missing')
    expect(wishesOf(answer)[0]?.card?.['brandPeek']).toMatchObject({ primaryColor: '#5f6b7a' })
  })

  it('with search down has the hotels that are kept, and names the others', async () => {
    const guest = await wish(2)
    await forget(ids[0])
    fixture.upstreams.behaviour.search.mood = 'down'
    const answer = await guest.list()
    expect([answer.status, answer.body['size'], sectionsOf(answer)['listings']]).toEqual([
      200,
      2,
      'missing',
    ])
    expect(hotelsOf(answer)).toEqual([ids[1]])
    expect(unavailableOf(answer)).toMatchObject([{ propertyId: ids[0], reason: 'not-loaded' }])
  })

  it('with search down and nothing kept is refused by name', async () => {
    const guest = await wish(2)
    await forget(ids[0], ids[1])
    fixture.upstreams.behaviour.search.mood = 'down'
    expect(codeOf(await guest.list())).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
  })

  it.each([
    ['down', 503, 'UPSTREAM_UNAVAILABLE'],
    ['refusing', 502, 'UPSTREAM_REQUEST_REJECTED'],
  ] as const)(
    'with search %s takes no hotel that nobody can vouch for',
    async (mood, ...refusal) => {
      const guest = await wish(1)
      fixture.upstreams.behaviour.search.mood = mood
      const [status, code] = refusal
      expect(codeOf(await guest.add(ids[5] ?? ''))).toEqual([status, `MELMASTOON.BFF.${code}`])
    },
  )

  it('lets go of a hotel although search is down', async () => {
    const guest = await wish(1)
    fixture.upstreams.behaviour.search.mood = 'down'
    expect((await guest.remove(ids[0] ?? '')).status).toBe(204)
  })
})
