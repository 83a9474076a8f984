import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KABUL, mapRequest, pinsOf, searchMap } from '../harness/map-client.ts'
import { startPlatformPublisher } from '../harness/platform-events.ts'
import { dayFromNow, type Fixture, get, startFixture } from '../harness/start-consumer.ts'

const HERAT = { swLat: 34, swLng: 62, neLat: 35, neLng: 63 }

let fixture: Fixture
let platform: ReturnType<typeof startPlatformPublisher>

beforeAll(async () => {
  fixture = await startFixture()
  platform = startPlatformPublisher(fixture.environment)
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(() => {
  fixture.upstreams.requests.length = 0
})

/** Takes about a second on an idle machine; without the event it would be a minute. */
const POLL_FAST = { timeout: 5_000, interval: 10 }

function hotelAt(at: number) {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}

const requestMap = (box = KABUL) => searchMap(fixture.service.url, mapRequest({}, box))
const nightsOf = (propertyId: string) =>
  get(
    fixture.service.url,
    `/hotels/${propertyId}/availability?from=${dayFromNow(1)}&to=${dayFromNow(2)}`,
  )
const stateOf = async (response: Promise<{ headers: Headers }>) =>
  (await response).headers.get('x-cache')

describe('C12 an event of one hotel', () => {
  it('invalidates the map of its place and its nights, and no other places', async () => {
    const { propertyId } = hotelAt(0)
    await Promise.all([
      requestMap(),
      requestMap(HERAT),
      nightsOf(propertyId),
      nightsOf(hotelAt(1).propertyId),
    ])
    await platform.index(hotelAt(0))
    await expect.poll(() => stateOf(requestMap()), POLL_FAST).toBe('MISS')
    await expect.poll(() => stateOf(nightsOf(propertyId)), POLL_FAST).toBe('MISS')
    expect(await stateOf(requestMap(HERAT))).toBe('HIT')
    expect(await stateOf(nightsOf(hotelAt(1).propertyId))).toBe('HIT')
  })
})

describe('C12 a new theme', () => {
  it('gives the pins the new colours', async () => {
    const { tenantId } = hotelAt(0)
    await requestMap()
    await platform.publishTheme(tenantId)
    await expect.poll(() => stateOf(requestMap()), POLL_FAST).toBe('MISS')
    expect(fixture.upstreams.count('theme')).toBeGreaterThan(0)
  })
})

describe('C12 a suspended tenant', () => {
  it('has no pin and no nights within a second, and has both when reactivated', async () => {
    const { tenantId, propertyId } = hotelAt(2)
    const target = mapRequest({ targetPropertyId: propertyId })
    const seen = async () => {
      const map = await searchMap(fixture.service.url, target)
      const isPinned = pinsOf(map).some((pin) => pin.propertyId === propertyId)
      return [isPinned, map.body['total'], (await nightsOf(propertyId)).status]
    }
    expect(await seen()).toEqual([true, 12, 200])
    await platform.suspend(tenantId)
    await expect.poll(seen, POLL_FAST).toEqual([false, 11, 404])
    await platform.reactivate(tenantId)
    await expect.poll(seen, POLL_FAST).toEqual([true, 12, 200])
  })
})
