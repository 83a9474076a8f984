import { newId } from '@melmastoon/domain'
import { createRegistry } from '@melmastoon/events'
import { listingIndexed } from '@melmastoon/platform-events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { projectionUpdated } from '../../src/listings/listing-handlers.ts'
import { causeOf, startPlatformPublisher } from '../harness/platform-events.ts'
import {
  dayFromNow,
  type Fixture,
  itemsOf,
  post,
  type RunningConsumer,
  searchRequest,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

const indexedRegistry = createRegistry([listingIndexed, projectionUpdated])

let fixture: Fixture
let second: RunningConsumer
let platform: ReturnType<typeof startPlatformPublisher>

beforeAll(async () => {
  fixture = await startFixture()
  second = await startConsumer(fixture.environment)
  platform = startPlatformPublisher(fixture.environment)
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.requests.length = 0
})

let nights = 0
const fresh = (over: Record<string, unknown> = {}) => {
  nights += 1
  return searchRequest({
    dates: { checkIn: dayFromNow(4), checkOut: dayFromNow(4 + nights) },
    ...over,
  })
}
const both = (json: unknown) =>
  Promise.all([fixture.service, second].map(({ url }) => post(url, '/search', { json })))
/** Takes about a second on an idle machine. */
const POLL_FAST = { timeout: 5_000, interval: 10 }

async function shows(json: unknown, tenantId: string): Promise<boolean[]> {
  const pages = await both(json)
  return pages.map((page) => itemsOf(page).some((card) => card.tenantId === tenantId))
}

const suspend = (at = new Date(), hotel = 0) => platform.suspend(hotelAt(hotel).tenantId, at)
const reactivate = (at = new Date(), hotel = 0) => platform.reactivate(hotelAt(hotel).tenantId, at)

function hotelAt(at: number) {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}

describe('C12 a suspended tenant', () => {
  it('disappears from every page of every instance within a second, and is back when reactivated', async () => {
    const { tenantId } = hotelAt(0)
    const request = fresh()
    expect(await shows(request, tenantId)).toEqual([true, true])
    const [before] = await both(request)
    await suspend()
    await expect.poll(() => shows(request, tenantId), POLL_FAST).toEqual([false, false])
    const [without] = await both(request)
    expect(without?.body['total']).toBe(Number(before?.body['total']) - 1)
    expect(await shows(fresh(), tenantId)).toEqual([false, false])

    await reactivate()
    await expect.poll(() => shows(request, tenantId), POLL_FAST).toEqual([true, true])
  })

  it('stays hidden when an older event arrives late', async () => {
    const { tenantId } = hotelAt(1)
    const request = fresh()
    await suspend(new Date(), 1)
    await expect.poll(() => shows(request, tenantId), POLL_FAST).toEqual([false, false])
    await reactivate(new Date(Date.now() - 60_000), 1)
    const { ctx } = fixture.service
    const decided = () =>
      ctx.sessionRedis.get('bff-consumer-service:v1:blocked-tenants:{tenants}:changes')
    const before = await decided()
    await suspend(new Date(), 2)
    await expect.poll(decided, POLL_FAST).not.toBe(before)
    expect(await shows(fresh(), tenantId)).toEqual([false, false])
    await reactivate(new Date(), 1)
    await reactivate(new Date(), 2)
    await expect.poll(() => shows(request, tenantId), POLL_FAST).toEqual([true, true])
  })

  it('stays hidden when the stored list is lost', async () => {
    const { tenantId } = hotelAt(3)
    await suspend(new Date(), 3)
    await expect.poll(() => shows(fresh(), tenantId), POLL_FAST).toEqual([false, false])
    const { sessionRedis } = fixture.service.ctx
    await sessionRedis.del(
      'bff-consumer-service:v1:blocked-tenants:{tenants}',
      'bff-consumer-service:v1:blocked-tenants:{tenants}:changes',
    )
    await expect
      .poll(() => sessionRedis.hlen('bff-consumer-service:v1:blocked-tenants:{tenants}'), {
        timeout: 10_000,
      })
      .toBeGreaterThan(0)
    expect(await shows(fresh(), tenantId)).toEqual([false, false])
    await reactivate(new Date(), 3)
    await expect.poll(() => shows(fresh(), tenantId), POLL_FAST).toEqual([true, true])
  })

  it('control: without the event it stays', async () => {
    const request = fresh()
    await both(request)
    expect(await shows(request, hotelAt(5).tenantId)).toEqual([true, true])
  })
})

describe('C12 events', () => {
  it('of a theme: the brand is requested again', async () => {
    const { tenantId } = hotelAt(4)
    const request = fresh()
    await both(request)
    fixture.upstreams.requests.length = 0
    await platform.publishTheme(tenantId)
    const requestedPaths = async () => {
      await both(request)
      return fixture.upstreams.requests
        .filter(({ upstream }) => upstream === 'theme')
        .map(({ body }) => body['tenantIds'])
    }
    await expect.poll(requestedPaths, POLL_FAST).toEqual([[tenantId]])
  })

  it.each([listingIndexed.subject, projectionUpdated.subject] as const)(
    '%s: the pages of its city are rebuilt under every name of the city; others stay cached',
    async (subject) => {
      const kabul = fresh()
      const requests = {
        kabul,
        dari: { ...kabul, geo: { mode: 'city', city: 'کابل' } },
        around: { ...kabul, geo: { mode: 'point', point: { lat: 34.6, lng: 69, radiusKm: 30 } } },
        herat: { ...kabul, geo: { mode: 'city', city: 'herat' } },
      }
      for (const request of Object.values(requests)) await both(request)
      fixture.upstreams.requests.length = 0
      const { tenantId, propertyId } = hotelAt(6)
      const indexedAt = new Date().toISOString()
      const payload = { tenantId, propertyId, listingVersion: 9, reason: 'rates', indexedAt }
      await platform.publish(indexedRegistry.build(subject, payload, causeOf(tenantId)))
      const requestCount = () => fixture.upstreams.count('search')
      for (const name of ['kabul', 'dari', 'around'] as const) {
        const before = requestCount()
        const renewed = async () => {
          await both(requests[name])
          return requestCount() - before
        }
        await expect.poll(renewed, POLL_FAST).toBeGreaterThan(0)
      }
      const before = requestCount()
      await both(requests.herat)
      expect(requestCount()).toBe(before)
    },
  )

  it('of a hotel at an unknown place: every page is invalidated', async () => {
    const request = fresh({ geo: { mode: 'city', city: 'herat' } })
    await both(request)
    fixture.upstreams.requests.length = 0
    await platform.index({ tenantId: newId('tnt'), propertyId: newId('ppt') })
    const requestCount = async () => {
      await both(request)
      return fixture.upstreams.requests.filter(({ path }) => path.endsWith('search/queries')).length
    }
    await expect.poll(requestCount, POLL_FAST).toBeGreaterThan(0)
  })
})
