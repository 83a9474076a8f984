import { newId } from '@melmastoon/domain'
import { createRegistry } from '@melmastoon/events'
import { listingIndexed } from '@melmastoon/platform-events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { projectionUpdated } from '../../src/listings/listing-handlers.ts'
import { causeOf, startPlatformNews } from '../harness/platform-events.ts'
import {
  aSearch,
  dayFromNow,
  type Fixture,
  itemsOf,
  post,
  type Running,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

const indexedRegistry = createRegistry([listingIndexed, projectionUpdated])

let fixture: Fixture
let second: Running
let news: ReturnType<typeof startPlatformNews>

beforeAll(async () => {
  fixture = await startFixture()
  second = await startConsumer(fixture.environment)
  news = startPlatformNews(fixture.environment)
})
afterAll(async () => {
  await news[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(() => {
  fixture.upstreams.mend()
  fixture.upstreams.asked.length = 0
})

let nights = 0
const fresh = (over: Record<string, unknown> = {}) => {
  nights += 1
  return aSearch({ dates: { checkIn: dayFromNow(4), checkOut: dayFromNow(4 + nights) }, ...over })
}
const both = (json: unknown) =>
  Promise.all([fixture.service, second].map(({ url }) => post(url, '/search', { json })))
/** A second on a quiet machine. */
const PROMPTLY = { timeout: 5_000, interval: 10 }

async function shows(json: unknown, tenantId: string): Promise<boolean[]> {
  const pages = await both(json)
  return pages.map((page) => itemsOf(page).some((card) => card.tenantId === tenantId))
}

const suspend = (at = new Date(), hotel = 0) => news.suspend(hotelAt(hotel).tenantId, at)
const reactivate = (at = new Date(), hotel = 0) => news.reactivate(hotelAt(hotel).tenantId, at)

function hotelAt(at: number) {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new Error('no such hotel')
  return hotel
}

describe('C12 a suspended tenant', () => {
  it('disappears from every page of every instance within a second, and is back when reactivated', async () => {
    const { tenantId } = hotelAt(0)
    const question = fresh()
    expect(await shows(question, tenantId)).toEqual([true, true])
    const [before] = await both(question)
    await suspend()
    await expect.poll(() => shows(question, tenantId), PROMPTLY).toEqual([false, false])
    const [without] = await both(question)
    expect(without?.body['total']).toBe(Number(before?.body['total']) - 1)
    expect(await shows(fresh(), tenantId)).toEqual([false, false])

    await reactivate()
    await expect.poll(() => shows(question, tenantId), PROMPTLY).toEqual([true, true])
  })

  it('stays hidden when an older event arrives late', async () => {
    const { tenantId } = hotelAt(1)
    const question = fresh()
    await suspend(new Date(), 1)
    await expect.poll(() => shows(question, tenantId), PROMPTLY).toEqual([false, false])
    await reactivate(new Date(Date.now() - 60_000), 1)
    const { ctx } = fixture.service
    const decided = () =>
      ctx.sessionRedis.get('bff-consumer-service:v1:blocked-tenants:{tenants}:changes')
    const before = await decided()
    await suspend(new Date(), 2)
    await expect.poll(decided, PROMPTLY).not.toBe(before)
    expect(await shows(fresh(), tenantId)).toEqual([false, false])
    await reactivate(new Date(), 1)
    await reactivate(new Date(), 2)
    await expect.poll(() => shows(question, tenantId), PROMPTLY).toEqual([true, true])
  })

  it('stays hidden when the stored list is lost', async () => {
    const { tenantId } = hotelAt(3)
    await suspend(new Date(), 3)
    await expect.poll(() => shows(fresh(), tenantId), PROMPTLY).toEqual([false, false])
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
    await expect.poll(() => shows(fresh(), tenantId), PROMPTLY).toEqual([true, true])
  })

  it('control: without the event it stays', async () => {
    const question = fresh()
    await both(question)
    expect(await shows(question, hotelAt(5).tenantId)).toEqual([true, true])
  })
})

describe('C12 events', () => {
  it('of a theme: the brand is requested again', async () => {
    const { tenantId } = hotelAt(4)
    const question = fresh()
    await both(question)
    fixture.upstreams.asked.length = 0
    await news.publishTheme(tenantId)
    const askedFor = async () => {
      await both(question)
      return fixture.upstreams.asked
        .filter(({ upstream }) => upstream === 'theme')
        .map(({ body }) => body['tenantIds'])
    }
    await expect.poll(askedFor, PROMPTLY).toEqual([[tenantId]])
  })

  it.each([listingIndexed.subject, projectionUpdated.subject] as const)(
    '%s: the pages of its town are made anew, by whichever name they were asked for; others stay',
    async (subject) => {
      const kabul = fresh()
      const questions = {
        kabul,
        dari: { ...kabul, geo: { mode: 'city', city: 'کابل' } },
        around: { ...kabul, geo: { mode: 'point', point: { lat: 34.6, lng: 69, radiusKm: 30 } } },
        herat: { ...kabul, geo: { mode: 'city', city: 'herat' } },
      }
      for (const question of Object.values(questions)) await both(question)
      fixture.upstreams.asked.length = 0
      const { tenantId, propertyId } = hotelAt(6)
      const indexedAt = new Date().toISOString()
      const payload = { tenantId, propertyId, listingVersion: 9, reason: 'rates', indexedAt }
      await news.publish(indexedRegistry.build(subject, payload, causeOf(tenantId)))
      const asked = () => fixture.upstreams.count('search')
      for (const name of ['kabul', 'dari', 'around'] as const) {
        const before = asked()
        const renewed = async () => {
          await both(questions[name])
          return asked() - before
        }
        await expect.poll(renewed, PROMPTLY).toBeGreaterThan(0)
      }
      const before = asked()
      await both(questions.herat)
      expect(asked()).toBe(before)
    },
  )

  it('of a hotel at an unknown place: every page is invalidated', async () => {
    const question = fresh({ geo: { mode: 'city', city: 'herat' } })
    await both(question)
    fixture.upstreams.asked.length = 0
    await news.index({ tenantId: newId('tnt'), propertyId: newId('ppt') })
    const asked = async () => {
      await both(question)
      return fixture.upstreams.asked.filter(({ path }) => path.endsWith('search/queries')).length
    }
    await expect.poll(asked, PROMPTLY).toBeGreaterThan(0)
  })
})
