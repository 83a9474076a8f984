import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HotelCalendarVM } from '../../src/calendar/hotel-calendar.ts'
import { HotelOffersVM } from '../../src/offers/hotel-offers.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { getPath, hotelOf, PREFERENCES, warmUp } from '../harness/hotel-client.ts'
import { outcomeOf } from '../harness/map-client.ts'
import { dayFromNow, type Fixture, sectionsOf, startFixture } from '../harness/start-consumer.ts'

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
const STAY = { checkIn: dayFromNow(20), checkOut: dayFromNow(22) }
const read = (path: string, query: Record<string, string>) =>
  getPath(fixture.service.url, `/hotels/${hotelOf(fixture.upstreams).propertyId}/${path}`, {
    query: { ...PREFERENCES, ...query },
  })
const offers = () => read('offers', STAY)
const calendar = () => read('calendar', { from: STAY.checkIn })

/** Drops the caches, and closes every breaker that a test opened before the next one. */
async function allNormal() {
  const dropCaches = () => fixture.service.ctx.cache.invalidate(['hotel'])
  const sections = async () => {
    await dropCaches()
    return [sectionsOf(await offers()), sectionsOf(await calendar())]
  }
  await expect
    .poll(sections, POLL_SLOWLY)
    .toEqual([{ property: 'fresh', prices: 'fresh' }, { prices: 'fresh' }])
  await dropCaches()
}

const MODES = [
  ['down', 0],
  ['dropping', 0],
  ['hanging', 0],
  ['invalid', 0],
  ['normal', 3_000],
] as const

describe.each(MODES)('C18 %s after %i ms', (mode, delayMs) => {
  const breakOnly = (name: 'search' | 'property', only = '') =>
    Object.assign(fixture.upstreams.behaviour[name], { mode, delayMs, only })

  it('the projection: rooms and policies without offers', async () => {
    breakOnly('search')
    const response = await offers()
    expect([response.status, closedCheck(HotelOffersVM)(response.body)]).toEqual([200, []])
    expect(sectionsOf(response)).toEqual({ property: 'fresh', prices: 'missing' })
    expect(response.body['rooms']).toMatchObject([{ name: { default: 'Twin room' }, offers: [] }])
    expect(response.body).not.toHaveProperty('availability')
    expect(response.body).not.toHaveProperty('paymentMethods')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const days = await calendar()
    expect([days.status, closedCheck(HotelCalendarVM)(days.body)]).toEqual([200, []])
    expect([sectionsOf(days), days.body['days']]).toEqual([{ prices: 'missing' }, []])
    expect([days.body['degraded'], days.headers.get('cache-control')]).toEqual([true, 'no-store'])
  })

  it('the property service: an uncached hotel is an error with a code', async () => {
    breakOnly('property')
    const rejections = {
      down: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
      dropping: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
      invalid: [502, 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
      hanging: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
      normal: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
    } as const
    expect(outcomeOf(await offers())).toEqual(rejections[mode])
    expect(outcomeOf(await calendar())).toEqual(rejections[mode])
  })
})

describe('C18 the projection recovers', () => {
  it('and the same request has offers at once', async () => {
    fixture.upstreams.behaviour.search.mode = 'down'
    expect(sectionsOf(await offers())['prices']).toBe('missing')
    fixture.upstreams.reset()
    await expect
      .poll(async () => sectionsOf(await offers()), POLL_SLOWLY)
      .toEqual({ property: 'fresh', prices: 'fresh' })
  })

  it('and a time of capture that does not exist is no price', async () => {
    fixture.upstreams.offersExtra = { capturedAt: '2026-13-01T00:00:00.000Z' }
    expect(sectionsOf(await offers())['prices']).toBe('missing')
  })
})
