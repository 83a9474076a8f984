import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aMap, askMap, get, KABUL, pinsOf } from '../harness/map-client.ts'
import { startPlatformNews } from '../harness/platform-events.ts'
import { dayFromNow, type Fixture, startFixture } from '../harness/start-consumer.ts'

const HERAT = { swLat: 34, swLng: 62, neLat: 35, neLng: 63 }

let fixture: Fixture
let news: ReturnType<typeof startPlatformNews>

beforeAll(async () => {
  fixture = await startFixture()
  news = startPlatformNews(fixture.environment)
})
afterAll(async () => {
  await news[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(() => {
  fixture.upstreams.asked.length = 0
})

/** A second on a quiet machine. Without news it would be a minute. */
const PROMPTLY = { timeout: 5_000, interval: 10 }

function hotelAt(at: number) {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new Error('no such hotel')
  return hotel
}

const draw = (box = KABUL) => askMap(fixture.service.url, aMap({}, box))
const nightsOf = (propertyId: string) =>
  get(
    fixture.service.url,
    `/hotels/${propertyId}/availability?from=${dayFromNow(1)}&to=${dayFromNow(2)}`,
  )
const stateOf = async (asked: Promise<{ headers: Headers }>) => (await asked).headers.get('x-cache')

describe('C12 news of one hotel', () => {
  it('invalidates the map of its place and its nights, and no other places', async () => {
    const { propertyId } = hotelAt(0)
    await Promise.all([draw(), draw(HERAT), nightsOf(propertyId), nightsOf(hotelAt(1).propertyId)])
    await news.index(hotelAt(0))
    await expect.poll(() => stateOf(draw()), PROMPTLY).toBe('MISS')
    await expect.poll(() => stateOf(nightsOf(propertyId)), PROMPTLY).toBe('MISS')
    expect(await stateOf(draw(HERAT))).toBe('HIT')
    expect(await stateOf(nightsOf(hotelAt(1).propertyId))).toBe('HIT')
  })
})

describe('C12 a new theme', () => {
  it('gives the pins the new colours', async () => {
    const { tenantId } = hotelAt(0)
    await draw()
    await news.publishTheme(tenantId)
    await expect.poll(() => stateOf(draw()), PROMPTLY).toBe('MISS')
    expect(fixture.upstreams.count('theme')).toBeGreaterThan(0)
  })
})

describe('C12 a suspended tenant', () => {
  it('has no pin and no nights within a second, and has both when reactivated', async () => {
    const { tenantId, propertyId } = hotelAt(2)
    const target = aMap({ targetPropertyId: propertyId })
    const seen = async () => {
      const map = await askMap(fixture.service.url, target)
      const isPinned = pinsOf(map).some((pin) => pin.propertyId === propertyId)
      return [isPinned, map.body['total'], (await nightsOf(propertyId)).status]
    }
    expect(await seen()).toEqual([true, 12, 200])
    await news.suspend(tenantId)
    await expect.poll(seen, PROMPTLY).toEqual([false, 11, 404])
    await news.reactivate(tenantId)
    await expect.poll(seen, PROMPTLY).toEqual([true, 12, 200])
  })
})
