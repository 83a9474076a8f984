import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HotelPage } from '../../src/hotels/hotel-detail.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { askHotel, askPrice, hotelOf, ratesOf, SAID, warmUp } from '../harness/hotel-client.ts'
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
  fixture.upstreams.mend()
  await allWell()
})

const PATIENTLY = { timeout: 5_000, interval: 60 }
const ALL_FRESH = { property: 'fresh', similar: 'fresh', prices: 'fresh', brand: 'fresh' }
const INCOMPLETE = 'public, max-age=0, s-maxage=10'

/** Nothing is kept, and every breaker that a test opened is closed again for the next one. */
async function allWell() {
  const sections = async () => {
    await forget()
    return sectionsOf(await show())
  }
  await expect.poll(sections, PATIENTLY).toEqual(ALL_FRESH)
  await forget()
}

async function forget() {
  const { hotels } = fixture.upstreams
  const brands = hotels.map(({ tenantId }) => `brand:${tenantId}`)
  await fixture.service.ctx.cache.invalidate(['hotel', ...brands])
}

const own = () => hotelOf(fixture.upstreams).propertyId
const show = (query: Record<string, string> = {}) =>
  askHotel(fixture.service.url, own(), { query: { ...SAID, ...query } })
const price = () => askPrice(fixture.service.url, own())
const isWhole = (answer: TestResponse) => closedCheck(HotelPage)(answer.body).length === 0
const MOODS = [
  ['down', 0],
  ['dropping', 0],
  ['hanging', 0],
  ['lying', 0],
  ['well', 3_000],
] as const

describe.each(MOODS)('%s after %i ms', (mood, delayMs) => {
  it('pricing: the hotel has no prices', async () => {
    Object.assign(fixture.upstreams.behaviour.pricing, { mood, delayMs })
    const answer = await show()
    expect([answer.status, isWhole(answer)]).toEqual([200, true])
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    expect(ratesOf(answer).every((rate) => rate === undefined)).toBe(true)
    expect(answer.body).not.toHaveProperty('priceCalendarPreview')
    expect(answer.body['similarProperties']).toHaveLength(4)
    expect(answer.headers.get('cache-control')).toBe(INCOMPLETE)
    const alone = await price()
    expect([alone.status, sectionsOf(alone)]).toEqual([200, { prices: 'missing' }])
    expect([alone.body['degraded'], alone.headers.get('cache-control')]).toEqual([true, 'no-store'])
  })

  it('theme: its brand is neutral, the rest is complete', async () => {
    Object.assign(fixture.upstreams.behaviour.theme, { mood, delayMs })
    const answer = await show()
    expect([answer.status, isWhole(answer)]).toEqual([200, true])
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, brand: 'missing' })
    const neutral = { primaryColor: '#5f6b7a', brandName: { default: 'Hotel 0' } }
    expect(answer.body['brandPeek']).toMatchObject(neutral)
    expect(answer.body['similarProperties']).toMatchObject([
      { brandPeek: { brandName: { default: 'Hotel 1' } } },
      {},
      {},
      {},
    ])
    expect(ratesOf(answer).every((rate) => rate !== undefined)).toBe(true)
  })

  it('search: neither popularity nor similar hotels, the rest is complete', async () => {
    Object.assign(fixture.upstreams.behaviour.search, { mood, delayMs })
    const answer = await show()
    expect([answer.status, isWhole(answer)]).toEqual([200, true])
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, similar: 'missing' })
    expect(answer.body).not.toHaveProperty('similarProperties')
    expect(answer.body).not.toHaveProperty('popularitySignals')
    expect(ratesOf(answer)).toEqual([expect.objectContaining({ currency: 'AFN' })])
    expect(answer.headers.get('cache-control')).toBe(INCOMPLETE)
  })

  it('property: an uncached hotel is an error with a code', async () => {
    Object.assign(fixture.upstreams.behaviour.property, { mood, delayMs })
    const answer = await show()
    const refusals = {
      down: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
      dropping: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
      lying: [502, 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
      hanging: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
      well: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
    } as const
    expect([answer.status, answer.body['code']]).toEqual(refusals[mood])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('in parts', () => {
  it('only the calendar missing: the price is present, and the rest is requested again soon', async () => {
    Object.assign(fixture.upstreams.behaviour.pricing, { mood: 'down', only: 'calendar' })
    const answer = await show()
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    expect(ratesOf(answer)[0]).toMatchObject({ currency: 'AFN' })
    expect(answer.body).not.toHaveProperty('priceCalendarPreview')
    fixture.upstreams.mend()
    await expect.poll(async () => sectionsOf(await show()), PATIENTLY).toEqual(ALL_FRESH)
  })

  it('all upstreams but the property service down: the hotel is still shown', async () => {
    const { behaviour } = fixture.upstreams
    for (const name of ['pricing', 'theme', 'search'] as const) behaviour[name].mood = 'down'
    const answer = await show()
    expect([answer.status, isWhole(answer)]).toEqual([200, true])
    expect(sectionsOf(answer)).toEqual({
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
    const answer = await show({ checkIn: dayFromNow(9), checkOut: dayFromNow(10) })
    expect(ratesOf(answer).every((rate) => rate === undefined)).toBe(true)
    expect(answer.body).toHaveProperty('priceCalendarPreview')
  })

  it('with old exchange rates is stale on the price route, too', async () => {
    fixture.upstreams.previewExtra = { fxStale: true }
    expect((await price()).body['cheapestRateSnapshot']).toMatchObject({ isStale: true })
  })

  it('an invalid time zone: dates are in UTC', async () => {
    fixture.upstreams.propertyExtra = { timeZone: 'Mars/Olympus' }
    expect((await show()).status).toBe(200)
  })
})
