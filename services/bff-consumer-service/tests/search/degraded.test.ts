import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  aSearch,
  dayFromNow,
  type Fixture,
  itemsOf,
  post,
  pricesOf,
  sectionsOf,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())
afterEach(async () => {
  fixture.upstreams.mend()
  await allWell()
  fixture.upstreams.asked.length = 0
})

const PATIENTLY = { timeout: 5_000, interval: 60 }
/** Twice the budget, for busy machines; who waits for an upstream without one waits far longer. */
const IN_TIME_MS = 5_000
const ALL_FRESH = { listings: 'fresh', prices: 'fresh', brands: 'fresh' }

/** Every breaker that a test opened is closed again for the next one. */
async function allWell() {
  await expect.poll(async () => sectionsOf(await search(fresh())), PATIENTLY).toEqual(ALL_FRESH)
}

const search = (json: unknown) => post(fixture.service.url, '/search', { json })
let asked = 0
const fresh = (over: Record<string, unknown> = {}) => {
  asked += 1
  const checkIn = dayFromNow(10 + Math.floor(asked / 28))
  const checkOut = dayFromNow(11 + Math.floor(asked / 28) + (asked % 28))
  return aSearch({ dates: { checkIn, checkOut }, ...over })
}

const metrics = async () => (await fetch(`${fixture.service.internalUrl}/metrics`)).text()
const isPriced = (answer: TestResponse) => pricesOf(answer).every((rate) => rate !== undefined)
const isUnpriced = (answer: TestResponse) => pricesOf(answer).every((rate) => rate === undefined)

describe('pricing', () => {
  it.each([
    ['down', 0],
    ['dropping', 0],
    ['hanging', 0],
    ['lying', 0],
    ['well', 3_000],
  ] as const)('%s after %i ms: the cards come without prices, in time', async (mood, delayMs) => {
    Object.assign(fixture.upstreams.behaviour.pricing, { mood, delayMs })
    const answer = await search(fresh())
    expect(answer.status).toBe(200)
    expect(answer.durationMs).toBeLessThan(IN_TIME_MS)
    expect(itemsOf(answer)).toHaveLength(12)
    expect(isUnpriced(answer)).toBe(true)
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    expect(answer.body['degraded']).toBe(true)
  })

  it('recovered: the same page has prices soon', async () => {
    fixture.upstreams.behaviour.pricing.mood = 'down'
    const question = fresh()
    expect(isUnpriced(await search(question))).toBe(true)
    fixture.upstreams.mend()
    await expect.poll(async () => isPriced(await search(question)), PATIENTLY).toBe(true)
  })

  it('violating its contract is counted as a broken contract', async () => {
    fixture.upstreams.behaviour.pricing.mood = 'lying'
    await search(fresh())
    expect(await metrics()).toMatch(
      /bff_consumer_upstream_contract_drift_total\{upstream="pricing",operation="pricing.preview"\} [1-9]/,
    )
  })

  it.each([
    ['amount', { cheapestNightly: { amountMicro: '-5000000', currency: 'AFN' } }],
    ['amount', { cheapestNightly: { amountMicro: '2500000001', currency: 'AFN' } }],
    ['amount', { totalForStay: { amountMicro: '9999999999999999999', currency: 'AFN' } }],
    ['currency', { totalForStay: { amountMicro: '5000000000', currency: 'USD' } }],
  ])('that matches the contract and is invalid (%s) is omitted', async (reason, extra) => {
    fixture.upstreams.previewExtra = extra
    expect(isUnpriced(await search(fresh()))).toBe(true)
    expect(await metrics()).toContain(`bff_consumer_rates_refused_total{reason="${reason}"}`)
  })

  it('with old exchange rates is stale from the start', async () => {
    fixture.upstreams.previewExtra = { fxStale: true }
    expect(pricesOf(await search(fresh()))[0]).toMatchObject({ isStale: true })
  })
})

describe('theme', () => {
  it('down: unknown brands are neutral and marked as missing', async () => {
    const { hotels } = fixture.upstreams
    await fixture.service.ctx.cache.invalidate(hotels.map(({ tenantId }) => `brand:${tenantId}`))
    fixture.upstreams.behaviour.theme.mood = 'down'
    const answer = await search(fresh())
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, brands: 'missing' })
    expect(itemsOf(answer)[0]?.['brandPeek']).toMatchObject({
      primaryColor: '#5f6b7a',
      brandName: { default: 'Hotel 0' },
    })
    expect(isPriced(answer)).toBe(true)
  })
})

describe('search', () => {
  it.each(['down', 'dropping', 'lying'] as const)(
    '%s: what was never known is refused by name',
    async (mood) => {
      fixture.upstreams.behaviour.search.mood = mood
      const answer = await search(fresh())
      const lying = mood === 'lying'
      expect([answer.status, answer.body['code']]).toEqual([
        lying ? 502 : 503,
        `MELMASTOON.BFF.UPSTREAM_${lying ? 'CONTRACT_BROKEN' : 'UNAVAILABLE'}`,
      ])
    },
  )

  it('not responding: an error when its time is over, within the budget of the request', async () => {
    fixture.upstreams.behaviour.search.mood = 'hanging'
    const answer = await search(fresh())
    expect([answer.status, answer.body['code']]).toEqual([504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'])
    expect(answer.durationMs).toBeLessThan(IN_TIME_MS)
  })

  it('that drops one connection is called again', async () => {
    const question = fresh()
    fixture.upstreams.behaviour.search.mood = 'dropping'
    const asking = search(question)
    await expect.poll(() => fixture.upstreams.count('search'), { interval: 1 }).toBeGreaterThan(0)
    fixture.upstreams.mend()
    expect((await asking).status).toBe(200)
  })

  it('with an old projection is marked as stale', async () => {
    const indexedAt = new Date(Date.now() - 90_000).toISOString()
    fixture.upstreams.searchExtra = { degradationLevel: 'projection_stale', indexedAt }
    const answer = await search(fresh())
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, listings: 'stale' })
    expect(answer.body['degraded']).toBe(true)
    const { listings } = answer.body['sections'] as { listings: { ageMs: number } }
    expect(listings.ageMs).toBeGreaterThanOrEqual(90_000)
  })

  it('with an invalid date still has an age', async () => {
    const indexedAt = '2026-99-99T00:00:00Z'
    fixture.upstreams.searchExtra = { degradationLevel: 'projection_stale', indexedAt }
    const answer = await search(fresh())
    expect(answer.body['sections']).toMatchObject({ listings: { status: 'stale', ageMs: 0 } })
  })
})
