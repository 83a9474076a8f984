import { newId } from '@melmastoon/domain'
import { createTestClock } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SearchMap } from '../../src/map/map-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { aMap, askMap, KABUL, pinsOf, WHOLE_WORLD } from '../harness/map-client.ts'
import { namesOf, settle, tellAll, toldOf } from '../harness/published-events.ts'
import {
  cookieOf,
  createGuest,
  dayFromNow,
  type Fixture,
  sectionsOf,
  startFixture,
} from '../harness/start-consumer.ts'

const clock = createTestClock(new Date())
let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture({ clock })
  fixture.upstreams.capturedAt = () => new Date(clock.nowMs()).toISOString()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.mend()
  fixture.upstreams.asked.length = 0
})

let nights = 0
/** A map nobody has asked for yet. */
const fresh = (over: Record<string, unknown> = {}, box = KABUL) => {
  nights += 1
  const from = 5 + Math.floor(nights / 25)
  const dates = { checkIn: dayFromNow(from), checkOut: dayFromNow(from + 1 + (nights % 25)) }
  return aMap({ dates, ...over }, box)
}
const ask = (json: unknown, headers: Record<string, string> = {}) =>
  askMap(fixture.service.url, json, { headers })
const hotelAt = (at: number) => {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new Error('no such hotel')
  return hotel
}
const askedOf = (path: string) =>
  fixture.upstreams.asked.filter((asked) => asked.path.includes(path)).length

describe('C3 a map', () => {
  it('has exactly one pin per hotel, and no price that was not requested', async () => {
    const answer = await ask(fresh())
    expect(answer.status).toBe(200)
    expect(closedCheck(SearchMap)(answer.body)).toEqual([])
    expect(answer.body).toMatchObject({ total: 12, truncated: false, degraded: false })
    expect(sectionsOf(answer)).toEqual({ listings: 'fresh', brands: 'fresh' })
    expect(pinsOf(answer)).toEqual(
      fixture.upstreams.hotels.slice(0, 12).map(({ propertyId }) => ({
        propertyId,
        geo: { lat: 34.5, lng: 69.2 },
        brandColor: '#005f56',
      })),
    )
    expect(fixture.upstreams.count('pricing')).toBe(0)
  })

  it('requests up to 250 pins in the box, for the stay, in the language and currency of the guest', async () => {
    const question = fresh({ filters: { amenities: ['wifi'] }, locale: 'ps-AF', currency: 'USD' })
    await ask(question)
    const [asked] = fixture.upstreams.asked
    expect(asked?.body).toEqual({
      geo: question['geo'],
      stay: question['dates'],
      occupancy: { adults: 2, children: 0, rooms: 1 },
      filters: { amenities: ['wifi'] },
      currency: 'USD',
      limit: 250,
    })
    expect(asked?.headers).toMatchObject({ 'accept-language': 'ps-AF', 'x-currency': 'USD' })
  })

  it('says that there are more than it shows', async () => {
    fixture.upstreams.searchExtra = { total: 300 }
    expect((await ask(fresh())).body).toMatchObject({ total: 300, truncated: true })
  })

  it('is shared by equal requests, and different for every other request', async () => {
    const question = fresh()
    const first = await ask(question)
    expect([first.headers.get('x-cache'), fixture.upstreams.count('search')]).toEqual(['MISS', 1])
    const again = await ask(question)
    expect([again.headers.get('x-cache'), again.text]).toEqual(['HIT', first.text])
    await ask({ ...question, currency: 'USD' })
    await ask({ ...question, locale: 'fa-AF' })
    await ask({ ...question, filters: { starRating: [3] } })
    expect(fixture.upstreams.count('search')).toBe(4)
  })

  it('of an empty area is empty and complete', async () => {
    const nowhere = { swLat: 1, swLng: 1, neLat: 2, neLng: 2 }
    const answer = await ask(fresh({}, nowhere))
    expect(answer.body).toMatchObject({ total: 0, pins: [], degraded: false, truncated: false })
  })

  it('of a point or a line contains exactly the hotels on it', async () => {
    const point = { swLat: 34.5, swLng: 69.2, neLat: 34.5, neLng: 69.2 }
    expect(pinsOf(await ask(fresh({}, point)))).toHaveLength(12)
    expect(pinsOf(await ask(fresh({}, { ...point, swLng: 69.1 })))).toHaveLength(12)
    const beside = { ...point, swLng: 69.2000001, neLng: 69.2000001 }
    expect(pinsOf(await ask(fresh({}, beside)))).toHaveLength(0)
  })

  it('is fresh for a minute, in a campaign for five', async () => {
    const question = fresh()
    await ask(question)
    clock.advance(40_000)
    expect((await ask(question)).headers.get('x-cache')).toBe('HIT')
    clock.advance(120_000)
    expect((await ask(question)).headers.get('x-cache')).not.toBe('HIT')
    await fixture.service.ctx.cacheRedis.set('bff.consumer.campaign_mode.v1', '{"enabled":true}')
    await expect.poll(() => fixture.service.ctx.flags.isCampaign()).toBe(true)
    const busy = fresh()
    await ask(busy)
    clock.advance(240_000)
    expect((await ask(busy)).headers.get('x-cache')).toBe('HIT')
    await fixture.service.ctx.cacheRedis.del('bff.consumer.campaign_mode.v1')
    await expect.poll(() => fixture.service.ctx.flags.isCampaign()).toBe(false)
  })

  it('requests brands in batches of a hundred', async () => {
    const many = Array.from({ length: 230 }, () => ({ ...hotelAt(0), ...newIds() }))
    fixture.upstreams.hotels.push(...many)
    const answer = await ask(fresh({}, WHOLE_WORLD))
    expect(pinsOf(answer)).toHaveLength(244)
    expect(answer.body).toMatchObject({ degraded: false })
    const calls = fixture.upstreams.asked.filter(({ upstream }) => upstream === 'theme')
    const sizes = calls.map(({ body }) => (body['tenantIds'] as unknown[]).length)
    expect(sizes.toSorted((a, b) => a - b).at(-1)).toBe(100)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(230)
    fixture.upstreams.hotels.length = 14
  })
})

const newIds = () => ({ propertyId: newId('ppt'), tenantId: newId('tnt') })

describe('C3 the targeted pin', () => {
  it('and no other has a price, whichever cache served the map', async () => {
    const { propertyId } = hotelAt(3)
    const question = fresh({ targetPropertyId: propertyId })
    for (const origin of ['cold', 'kept']) {
      const answer = await ask(question)
      expect(closedCheck(SearchMap)(answer.body), origin).toEqual([])
      const priced = pinsOf(answer).filter((pin) => pin.cheapestNightlyMinor !== undefined)
      expect(priced).toEqual([
        {
          propertyId,
          geo: { lat: 34.5, lng: 69.2 },
          cheapestNightlyMinor: 250_003,
          currency: 'AFN',
          brandColor: '#005f56',
        },
      ])
      expect(Object.keys(priced[0] ?? {})).toEqual([
        'propertyId',
        'geo',
        'cheapestNightlyMinor',
        'currency',
        'brandColor',
      ])
      expect(sectionsOf(answer)).toEqual({ listings: 'fresh', brands: 'fresh', prices: 'fresh' })
    }
  })

  it('targets other pins without requesting the map again', async () => {
    const question = fresh()
    for (const at of [0, 1, 2, 0, 1, 2]) {
      const answer = await ask({ ...question, targetPropertyId: hotelAt(at).propertyId })
      const priced = pinsOf(answer).filter((pin) => pin.currency !== undefined)
      expect(priced.map((pin) => pin.propertyId)).toEqual([hotelAt(at).propertyId])
    }
    expect([askedOf('search/map'), fixture.upstreams.count('pricing')]).toEqual([1, 3])
    expect(pinsOf(await ask(question)).every((pin) => pin.currency === undefined)).toBe(true)
  })

  it('that is not on the map is reported, and its price is not requested', async () => {
    const question = fresh()
    await ask(question)
    const answer = await ask({ ...question, targetPropertyId: newId('ppt') })
    expect(answer.body).toMatchObject({ targetMissing: true, degraded: false })
    expect(closedCheck(SearchMap)(answer.body)).toEqual([])
    expect(fixture.upstreams.count('pricing')).toBe(0)
  })

  it('has no price that is older than a minute', async () => {
    const question = fresh({ targetPropertyId: hotelAt(0).propertyId })
    const capturedMs = clock.nowMs() - 40_000
    fixture.upstreams.capturedAt = () => new Date(capturedMs).toISOString()
    expect(sectionsOf(await ask(question))['prices']).toBe('fresh')
    clock.advance(15_000)
    await ask(question)
    expect(fixture.upstreams.count('pricing')).toBe(1)
    clock.advance(6_000)
    const late = await ask(question)
    expect(fixture.upstreams.count('pricing')).toBe(2)
    expect(sectionsOf(late)['prices']).toBe('missing')
    expect(pinsOf(late).every((pin) => pin.currency === undefined)).toBe(true)
    fixture.upstreams.capturedAt = () => new Date(clock.nowMs()).toISOString()
    expect(sectionsOf(await ask(question))['prices']).toBe('fresh')
  })

  it('without a rate for the stay has no price, and is not degraded', async () => {
    fixture.upstreams.previewExtra = { status: 'unavailable' }
    const answer = await ask(fresh({ targetPropertyId: hotelAt(0).propertyId }))
    expect(sectionsOf(answer)['prices']).toBe('fresh')
    expect(pinsOf(answer).every((pin) => pin.currency === undefined)).toBe(true)
  })
})

describe('a guest with a map', () => {
  it('gets a session with the first request and a search per query', async () => {
    const question = fresh()
    const first = await ask(question)
    const cookie = cookieOf(first)
    expect(cookie).toMatch(/^__Host-gms_id=gms_/)
    const search = first.headers.get('x-search-session')
    expect(search).toMatch(/^srs_/)
    const pointing = { ...question, targetPropertyId: hotelAt(0).propertyId }
    expect((await ask(pointing, { cookie })).headers.get('x-search-session')).toBe(search)
    expect((await ask(fresh(), { cookie })).headers.get('x-search-session')).not.toBe(search)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('has it in the history, and it is reported as a map', async () => {
    await tellAll(fixture)
    const guest = await createGuest(fixture.service.url)
    const question = fresh({ targetPropertyId: hotelAt(0).propertyId })
    const answer = await ask(question, { cookie: guest.cookie })
    await ask(question, { cookie: guest.cookie })
    await settle(fixture)
    const told = await toldOf(fixture, guest.id)
    expect(namesOf(told)).toEqual(['session.started.v1', 'search.executed.v1'])
    expect(told[1]?.payload).toMatchObject({
      kind: 'map',
      geoMode: 'bounding-box',
      searchSessionId: answer.headers.get('x-search-session'),
      resultCount: 12,
      itemCount: 12,
      pricedCount: 1,
      pageSize: 250,
    })
    const saved = await fixture.service.ctx.sessionRedis.get(
      `bff-consumer-service:v1:search-session:${answer.headers.get('x-search-session')}`,
    )
    expect(JSON.parse(saved ?? '{}')).toMatchObject({ geo: question['geo'], resultCount: 12 })
  })
})

describe('D10 five hundred at once', () => {
  /** Of one guest: five hundred who each begin a session would take longer than the map. */
  let headers: { readonly cookie: string }
  beforeAll(async () => {
    headers = { cookie: (await createGuest(fixture.service.url)).cookie }
  })

  it('with the same query call the search service once', async () => {
    const question = fresh()
    const answers = await Promise.all(Array.from({ length: 500 }, () => ask(question, headers)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(askedOf('search/map')).toBe(1)
  })

  it('with different queries each have their own map, so the count above can fail', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask(fresh(), headers)))
    expect(askedOf('search/map')).toBe(50)
  })

  it('that target the same pin call pricing once', async () => {
    const question = fresh({ targetPropertyId: hotelAt(5).propertyId })
    const answers = await Promise.all(Array.from({ length: 500 }, () => ask(question, headers)))
    expect(answers.every((answer) => sectionsOf(answer)['prices'] === 'fresh')).toBe(true)
    expect([askedOf('search/map'), fixture.upstreams.count('pricing')]).toEqual([1, 1])
  })
})
