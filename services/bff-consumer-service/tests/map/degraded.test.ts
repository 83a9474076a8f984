import { createTestClock } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SearchMap } from '../../src/map/map-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { aMap, askMap, outcomeOf, pinsOf } from '../harness/map-client.ts'
import { dayFromNow, type Fixture, sectionsOf, startFixture } from '../harness/start-consumer.ts'

const clock = createTestClock(new Date())
let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture({ clock })
  fixture.upstreams.capturedAt = () => new Date(clock.nowMs()).toISOString()
})
afterAll(() => fixture[Symbol.asyncDispose]())
afterEach(async () => {
  fixture.upstreams.mend()
  await allWell()
  fixture.upstreams.asked.length = 0
})

const PATIENTLY = { timeout: 5_000, interval: 60 }
const WHOLE = { listings: 'fresh', brands: 'fresh', prices: 'fresh' }

let nights = 0
const fresh = () => {
  nights += 1
  const from = 5 + Math.floor(nights / 25)
  const dates = { checkIn: dayFromNow(from), checkOut: dayFromNow(from + 1 + (nights % 25)) }
  return aMap({ dates, targetPropertyId: fixture.upstreams.hotels[0]?.propertyId })
}
const ask = (json: unknown) => askMap(fixture.service.url, json)

/** Every breaker that a test opened is closed again for the next one. */
async function allWell() {
  await expect.poll(async () => sectionsOf(await ask(fresh())), PATIENTLY).toEqual(WHOLE)
}

describe('search', () => {
  it.each([
    ['down', 503, 'UPSTREAM_UNAVAILABLE'],
    ['dropping', 503, 'UPSTREAM_UNAVAILABLE'],
    ['hanging', 504, 'UPSTREAM_TIMEOUT'],
    ['lying', 502, 'UPSTREAM_CONTRACT_BROKEN'],
  ] as const)('%s: a map never drawn is refused by name', async (mood, status, code) => {
    fixture.upstreams.behaviour.search.mood = mood
    expect(outcomeOf(await ask(fresh()))).toEqual([status, `MELMASTOON.BFF.${code}`])
  })

  it.each(['down', 'dropping', 'hanging', 'lying'] as const)(
    'F-1 %s: the last map is shown and says that it is old, for ten minutes',
    async (mood) => {
      const { targetPropertyId: _none, ...question }: Record<string, unknown> = fresh()
      const known = await ask(question)
      fixture.upstreams.behaviour.search.mood = mood
      clock.advance(150_000)
      const stale = await ask(question)
      expect([stale.status, stale.headers.get('x-cache')]).toEqual([200, 'STALE'])
      expect(sectionsOf(stale)).toEqual({ listings: 'stale', brands: 'fresh' })
      expect(stale.body['degraded']).toBe(true)
      expect(pinsOf(stale)).toEqual(pinsOf(known))
      expect(Number(stale.headers.get('age'))).toBeGreaterThanOrEqual(150)
      expect(closedCheck(SearchMap)(stale.body)).toEqual([])
      clock.advance(600_000)
      expect((await ask(question)).status).toBeGreaterThanOrEqual(500)
    },
  )

  it('down: a stale map still gets its fresh price', async () => {
    const question = fresh()
    await ask(question)
    fixture.upstreams.behaviour.search.mood = 'down'
    clock.advance(150_000)
    const stale = await ask(question)
    expect(sectionsOf(stale)).toEqual({ listings: 'stale', brands: 'fresh', prices: 'fresh' })
    expect(pinsOf(stale).filter((pin) => pin.currency !== undefined)).toHaveLength(1)
  })
})

describe('pricing', () => {
  it.each(['down', 'dropping', 'hanging', 'lying'] as const)(
    '%s: the map comes all the same, its pin without a price',
    async (mood) => {
      fixture.upstreams.behaviour.pricing.mood = mood
      const answer = await ask(fresh())
      expect(answer.status).toBe(200)
      expect(sectionsOf(answer)).toEqual({ ...WHOLE, prices: 'missing' })
      expect(answer.body['degraded']).toBe(true)
      expect(pinsOf(answer)).toHaveLength(12)
      expect(pinsOf(answer).every((pin) => pin.currency === undefined)).toBe(true)
    },
  )

  it('recovered: the same map has its price', async () => {
    fixture.upstreams.behaviour.pricing.mood = 'down'
    const question = fresh()
    await ask(question)
    fixture.upstreams.mend()
    await expect.poll(async () => sectionsOf(await ask(question)), PATIENTLY).toEqual(WHOLE)
    const maps = fixture.upstreams.asked.filter(({ path }) => path.endsWith('/search/map'))
    expect(maps).toHaveLength(1)
  })

  it('with old exchange rates is marked', async () => {
    fixture.upstreams.previewExtra = { fxStale: true }
    const answer = await ask(fresh())
    expect(sectionsOf(answer)['prices']).toBe('stale')
    expect(answer.body['degraded']).toBe(true)
  })
})

describe('theme', () => {
  it('down: pins with unknown colours are neutral, and have them soon after the recovery', async () => {
    const { hotels } = fixture.upstreams
    await fixture.service.ctx.cache.invalidate(hotels.map(({ tenantId }) => `brand:${tenantId}`))
    fixture.upstreams.behaviour.theme.mood = 'down'
    const question = fresh()
    const answer = await ask(question)
    expect(sectionsOf(answer)).toEqual({ ...WHOLE, brands: 'missing' })
    expect(pinsOf(answer).every((pin) => pin['brandColor'] === '#5f6b7a')).toBe(true)
    fixture.upstreams.mend()
    clock.advance(3_000)
    const colours = async () => pinsOf(await ask(question)).map((pin) => pin['brandColor'])
    await expect.poll(colours, PATIENTLY).toEqual(Array(12).fill('#005f56'))
  })
})
