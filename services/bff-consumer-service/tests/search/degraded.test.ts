import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  dayFromNow,
  type Fixture,
  itemsOf,
  post,
  pricesOf,
  searchRequest,
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
  fixture.upstreams.reset()
  await allNormal()
  fixture.upstreams.requests.length = 0
})

const POLL_SLOWLY = { timeout: 5_000, interval: 60 }
/** Twice the budget, for busy machines; without a budget a request would wait far longer. */
const IN_TIME_MS = 5_000
const ALL_FRESH = { listings: 'fresh', prices: 'fresh', brands: 'fresh' }

/** Closes every breaker that a test opened before the next one. */
async function allNormal() {
  await expect.poll(async () => sectionsOf(await search(fresh())), POLL_SLOWLY).toEqual(ALL_FRESH)
}

const search = (json: unknown) => post(fixture.service.url, '/search', { json })
let requestNumber = 0
const fresh = (over: Record<string, unknown> = {}) => {
  requestNumber += 1
  const checkIn = dayFromNow(10 + Math.floor(requestNumber / 28))
  const checkOut = dayFromNow(11 + Math.floor(requestNumber / 28) + (requestNumber % 28))
  return searchRequest({ dates: { checkIn, checkOut }, ...over })
}

const metrics = async () => (await fetch(`${fixture.service.internalUrl}/metrics`)).text()
const isPriced = (response: TestResponse) => pricesOf(response).every((rate) => rate !== undefined)
const isUnpriced = (response: TestResponse) =>
  pricesOf(response).every((rate) => rate === undefined)

describe('pricing', () => {
  it.each([
    ['down', 0],
    ['dropping', 0],
    ['hanging', 0],
    ['invalid', 0],
    ['normal', 3_000],
  ] as const)(
    '%s after %i ms: cards are returned in time without prices',
    async (mode, delayMs) => {
      Object.assign(fixture.upstreams.behaviour.pricing, { mode, delayMs })
      const response = await search(fresh())
      expect(response.status).toBe(200)
      expect(response.durationMs).toBeLessThan(IN_TIME_MS)
      expect(itemsOf(response)).toHaveLength(12)
      expect(isUnpriced(response)).toBe(true)
      expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, prices: 'missing' })
      expect(response.body['degraded']).toBe(true)
    },
  )

  it('recovered: the same page has prices soon', async () => {
    fixture.upstreams.behaviour.pricing.mode = 'down'
    const request = fresh()
    expect(isUnpriced(await search(request))).toBe(true)
    fixture.upstreams.reset()
    await expect.poll(async () => isPriced(await search(request)), POLL_SLOWLY).toBe(true)
  })

  it('violating its contract is counted as a broken contract', async () => {
    fixture.upstreams.behaviour.pricing.mode = 'invalid'
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
    fixture.upstreams.behaviour.theme.mode = 'down'
    const response = await search(fresh())
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, brands: 'missing' })
    expect(itemsOf(response)[0]?.['brandPeek']).toMatchObject({
      primaryColor: '#5f6b7a',
      brandName: { default: 'Hotel 0' },
    })
    expect(isPriced(response)).toBe(true)
  })
})

describe('search', () => {
  it.each(['down', 'dropping', 'invalid'] as const)(
    '%s: an uncached search is an error with a code',
    async (mode) => {
      fixture.upstreams.behaviour.search.mode = mode
      const response = await search(fresh())
      const invalid = mode === 'invalid'
      expect([response.status, response.body['code']]).toEqual([
        invalid ? 502 : 503,
        `MELMASTOON.BFF.UPSTREAM_${invalid ? 'CONTRACT_BROKEN' : 'UNAVAILABLE'}`,
      ])
    },
  )

  it('not responding: an error after its timeout, within the budget of the request', async () => {
    fixture.upstreams.behaviour.search.mode = 'hanging'
    const response = await search(fresh())
    expect([response.status, response.body['code']]).toEqual([
      504,
      'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
    ])
    expect(response.durationMs).toBeLessThan(IN_TIME_MS)
  })

  it('that drops one connection is called again', async () => {
    const request = fresh()
    fixture.upstreams.behaviour.search.mode = 'dropping'
    const options = search(request)
    await expect.poll(() => fixture.upstreams.count('search'), { interval: 1 }).toBeGreaterThan(0)
    fixture.upstreams.reset()
    expect((await options).status).toBe(200)
  })

  it('with an old projection is marked as stale', async () => {
    const indexedAt = new Date(Date.now() - 90_000).toISOString()
    fixture.upstreams.searchExtra = { degradationLevel: 'projection_stale', indexedAt }
    const response = await search(fresh())
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, listings: 'stale' })
    expect(response.body['degraded']).toBe(true)
    const { listings } = response.body['sections'] as { listings: { ageMs: number } }
    expect(listings.ageMs).toBeGreaterThanOrEqual(90_000)
  })

  it('with an invalid date still has an age', async () => {
    const indexedAt = '2026-99-99T00:00:00Z'
    fixture.upstreams.searchExtra = { degradationLevel: 'projection_stale', indexedAt }
    const response = await search(fresh())
    expect(response.body['sections']).toMatchObject({ listings: { status: 'stale', ageMs: 0 } })
  })
})
