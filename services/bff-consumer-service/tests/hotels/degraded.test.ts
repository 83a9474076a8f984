import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HotelPage } from '../../src/hotels/hotel-detail.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import {
  getHotel,
  getHotelPrice,
  hotelOf,
  PREFERENCES,
  ratesOf,
  warmUp,
} from '../harness/hotel-client.ts'
import {
  dayFromNow,
  type Fixture,
  sectionsOf,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await warmUp(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())
afterEach(async () => {
  fixture.upstreams.reset()
  await allNormal()
})

const POLL_SLOWLY = { timeout: 5_000, interval: 60 }
const ALL_FRESH = { property: 'fresh', similar: 'fresh', prices: 'fresh', brand: 'fresh' }
const INCOMPLETE = 'public, max-age=0, s-maxage=10'

/** Drops the caches, and closes every breaker that a test opened before the next one. */
async function allNormal() {
  const sections = async () => {
    await dropCaches()
    return sectionsOf(await show())
  }
  await expect.poll(sections, POLL_SLOWLY).toEqual(ALL_FRESH)
  await dropCaches()
}

async function dropCaches() {
  const { hotels } = fixture.upstreams
  const brands = hotels.map(({ tenantId }) => `brand:${tenantId}`)
  await fixture.service.ctx.cache.invalidate(['hotel', ...brands])
}

const own = () => hotelOf(fixture.upstreams).propertyId
const show = (query: Record<string, string> = {}) =>
  getHotel(fixture.service.url, own(), { query: { ...PREFERENCES, ...query } })
const price = () => getHotelPrice(fixture.service.url, own())
const isWhole = (response: TestResponse) => closedCheck(HotelPage)(response.body).length === 0
const MODES = [
  ['down', 0],
  ['dropping', 0],
  ['hanging', 0],
  ['invalid', 0],
  ['normal', 3_000],
] as const

describe.each(MODES)('%s after %i ms', (mode, delayMs) => {
  it('pricing: the hotel has no prices', async () => {
    Object.assign(fixture.upstreams.behaviour.pricing, { mode, delayMs })
    const response = await show()
    expect([response.status, isWhole(response)]).toEqual([200, true])
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    expect(ratesOf(response).every((rate) => rate === undefined)).toBe(true)
    expect(response.body).not.toHaveProperty('priceCalendarPreview')
    expect(response.body['similarProperties']).toHaveLength(4)
    expect(response.headers.get('cache-control')).toBe(INCOMPLETE)
    const alone = await price()
    expect([alone.status, sectionsOf(alone)]).toEqual([200, { prices: 'missing' }])
    expect([alone.body['degraded'], alone.headers.get('cache-control')]).toEqual([true, 'no-store'])
  })

  it('theme: its brand is neutral, the rest is complete', async () => {
    Object.assign(fixture.upstreams.behaviour.theme, { mode, delayMs })
    const response = await show()
    expect([response.status, isWhole(response)]).toEqual([200, true])
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, brand: 'missing' })
    const neutral = { primaryColor: '#5f6b7a', brandName: { default: 'Hotel 0' } }
    expect(response.body['brandPeek']).toMatchObject(neutral)
    expect(response.body['similarProperties']).toMatchObject([
      { brandPeek: { brandName: { default: 'Hotel 1' } } },
      {},
      {},
      {},
    ])
    expect(ratesOf(response).every((rate) => rate !== undefined)).toBe(true)
  })

  it('search: neither popularity nor similar hotels, the rest is complete', async () => {
    Object.assign(fixture.upstreams.behaviour.search, { mode, delayMs })
    const response = await show()
    expect([response.status, isWhole(response)]).toEqual([200, true])
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, similar: 'missing' })
    expect(response.body).not.toHaveProperty('similarProperties')
    expect(response.body).not.toHaveProperty('popularitySignals')
    expect(ratesOf(response)).toEqual([expect.objectContaining({ currency: 'AFN' })])
    expect(response.headers.get('cache-control')).toBe(INCOMPLETE)
  })

  it('property: an uncached hotel is an error with a code', async () => {
    Object.assign(fixture.upstreams.behaviour.property, { mode, delayMs })
    const response = await show()
    const rejections = {
      down: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
      dropping: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
      invalid: [502, 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
      hanging: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
      normal: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
    } as const
    expect([response.status, response.body['code']]).toEqual(rejections[mode])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

describe('partial failures', () => {
  it('only the calendar missing: the price is present, and the rest is requested again soon', async () => {
    Object.assign(fixture.upstreams.behaviour.pricing, { mode: 'down', only: 'calendar' })
    const response = await show()
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    expect(ratesOf(response)[0]).toMatchObject({ currency: 'AFN' })
    expect(response.body).not.toHaveProperty('priceCalendarPreview')
    fixture.upstreams.reset()
    await expect.poll(async () => sectionsOf(await show()), POLL_SLOWLY).toEqual(ALL_FRESH)
  })

  it('all upstreams but the property service down: the hotel is still shown', async () => {
    const { behaviour } = fixture.upstreams
    for (const name of ['pricing', 'theme', 'search'] as const) behaviour[name].mode = 'down'
    const response = await show()
    expect([response.status, isWhole(response)]).toEqual([200, true])
    expect(sectionsOf(response)).toEqual({
      property: 'fresh',
      similar: 'missing',
      prices: 'missing',
      brand: 'missing',
    })
  })

  it.each([
    ['amount', { cheapestNightly: { amountMicro: '-5000000', currency: 'AFN' } }],
    ['currency', { totalForStay: { amountMicro: '5000000000', currency: 'USD' } }],
  ])('a price that matches the contract and is invalid (%s) is omitted', async (_, extra) => {
    fixture.upstreams.previewExtra = extra
    const response = await show({ checkIn: dayFromNow(9), checkOut: dayFromNow(10) })
    expect(ratesOf(response).every((rate) => rate === undefined)).toBe(true)
    expect(response.body).toHaveProperty('priceCalendarPreview')
  })

  it('with old exchange rates is stale on the price route as well', async () => {
    fixture.upstreams.previewExtra = { fxStale: true }
    expect((await price()).body['cheapestRateSnapshot']).toMatchObject({ isStale: true })
  })

  it('an invalid time zone: dates are in UTC', async () => {
    fixture.upstreams.propertyExtra = { timeZone: 'Mars/Olympus' }
    expect((await show()).status).toBe(200)
  })
})
