import { createTestClock } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SearchMap } from '../../src/map/map-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { mapRequest, outcomeOf, pinsOf, searchMap } from '../harness/map-client.ts'
import { dayFromNow, type Fixture, sectionsOf, startFixture } from '../harness/start-consumer.ts'

const clock = createTestClock(new Date())
let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture({ clock })
  fixture.upstreams.capturedAt = () => new Date(clock.nowMs()).toISOString()
})
afterAll(() => fixture[Symbol.asyncDispose]())
afterEach(async () => {
  fixture.upstreams.reset()
  await allNormal()
  fixture.upstreams.requests.length = 0
})

const POLL_SLOWLY = { timeout: 5_000, interval: 60 }
const WHOLE = { listings: 'fresh', brands: 'fresh', prices: 'fresh' }

let nights = 0
const fresh = () => {
  nights += 1
  const from = 5 + Math.floor(nights / 25)
  const dates = { checkIn: dayFromNow(from), checkOut: dayFromNow(from + 1 + (nights % 25)) }
  return mapRequest({ dates, targetPropertyId: fixture.upstreams.hotels[0]?.propertyId })
}
const requestMap = (json: unknown) => searchMap(fixture.service.url, json)

/** Closes every breaker that a test opened before the next one. */
async function allNormal() {
  await expect.poll(async () => sectionsOf(await requestMap(fresh())), POLL_SLOWLY).toEqual(WHOLE)
}

describe('search', () => {
  it.each([
    ['down', 503, 'UPSTREAM_UNAVAILABLE'],
    ['dropping', 503, 'UPSTREAM_UNAVAILABLE'],
    ['hanging', 504, 'UPSTREAM_TIMEOUT'],
    ['invalid', 502, 'UPSTREAM_CONTRACT_BROKEN'],
  ] as const)('%s: an uncached map is an error with a code', async (mode, status, code) => {
    fixture.upstreams.behaviour.search.mode = mode
    expect(outcomeOf(await requestMap(fresh()))).toEqual([status, `MELMASTOON.BFF.${code}`])
  })

  it.each(['down', 'dropping', 'hanging', 'invalid'] as const)(
    'F-1 %s: the cached map is served for ten minutes, marked as stale',
    async (mode) => {
      const { targetPropertyId: _none, ...request }: Record<string, unknown> = fresh()
      const known = await requestMap(request)
      fixture.upstreams.behaviour.search.mode = mode
      clock.advance(150_000)
      const stale = await requestMap(request)
      expect([stale.status, stale.headers.get('x-cache')]).toEqual([200, 'STALE'])
      expect(sectionsOf(stale)).toEqual({ listings: 'stale', brands: 'fresh' })
      expect(stale.body['degraded']).toBe(true)
      expect(pinsOf(stale)).toEqual(pinsOf(known))
      expect(Number(stale.headers.get('age'))).toBeGreaterThanOrEqual(150)
      expect(closedCheck(SearchMap)(stale.body)).toEqual([])
      clock.advance(600_000)
      expect((await requestMap(request)).status).toBeGreaterThanOrEqual(500)
    },
  )

  it('down: a stale map still gets its fresh price', async () => {
    const request = fresh()
    await requestMap(request)
    fixture.upstreams.behaviour.search.mode = 'down'
    clock.advance(150_000)
    const stale = await requestMap(request)
    expect(sectionsOf(stale)).toEqual({ listings: 'stale', brands: 'fresh', prices: 'fresh' })
    expect(pinsOf(stale).filter((pin) => pin.currency !== undefined)).toHaveLength(1)
  })
})

describe('pricing', () => {
  it.each(['down', 'dropping', 'hanging', 'invalid'] as const)(
    '%s: the map is served, its target pin without a price',
    async (mode) => {
      fixture.upstreams.behaviour.pricing.mode = mode
      const response = await requestMap(fresh())
      expect(response.status).toBe(200)
      expect(sectionsOf(response)).toEqual({ ...WHOLE, prices: 'missing' })
      expect(response.body['degraded']).toBe(true)
      expect(pinsOf(response)).toHaveLength(12)
      expect(pinsOf(response).every((pin) => pin.currency === undefined)).toBe(true)
    },
  )

  it('recovered: the same map has its price', async () => {
    fixture.upstreams.behaviour.pricing.mode = 'down'
    const request = fresh()
    await requestMap(request)
    fixture.upstreams.reset()
    await expect.poll(async () => sectionsOf(await requestMap(request)), POLL_SLOWLY).toEqual(WHOLE)
    const maps = fixture.upstreams.requests.filter(({ path }) => path.endsWith('/search/map'))
    expect(maps).toHaveLength(1)
  })

  it('with old exchange rates is marked', async () => {
    fixture.upstreams.previewExtra = { fxStale: true }
    const response = await requestMap(fresh())
    expect(sectionsOf(response)['prices']).toBe('stale')
    expect(response.body['degraded']).toBe(true)
  })
})

describe('theme', () => {
  it('down: pins with unknown colours are neutral, and have them soon after the recovery', async () => {
    const { hotels } = fixture.upstreams
    await fixture.service.ctx.cache.invalidate(hotels.map(({ tenantId }) => `brand:${tenantId}`))
    fixture.upstreams.behaviour.theme.mode = 'down'
    const request = fresh()
    const response = await requestMap(request)
    expect(sectionsOf(response)).toEqual({ ...WHOLE, brands: 'missing' })
    expect(pinsOf(response).every((pin) => pin['brandColor'] === '#5f6b7a')).toBe(true)
    fixture.upstreams.reset()
    clock.advance(3_000)
    const colours = async () => pinsOf(await requestMap(request)).map((pin) => pin['brandColor'])
    await expect.poll(colours, POLL_SLOWLY).toEqual(Array(12).fill('#005f56'))
  })
})
