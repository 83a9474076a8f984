import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { getHotel, getHotelPrice, getPath, hotelOf, PREFERENCES } from '../harness/hotel-client.ts'
import { mapRequest, pinsOf, searchMap } from '../harness/map-client.ts'
import { shownOffer } from '../harness/shown-offer.ts'
import {
  dayFromNow,
  type Fixture,
  get,
  itemsOf,
  post,
  pricesOf,
  searchRequest,
  startFixture,
} from '../harness/start-consumer.ts'
import { startWishlistClient } from '../harness/wishlist-client.ts'

let fixture: Fixture
let url: string

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.unsold.clear()
  fixture.upstreams.requests.length = 0
})

interface Priced extends Record<string, unknown> {
  readonly availability?: unknown
  readonly rateSnapshot?: Record<string, unknown> | undefined
}

/** A stay that no test has requested before. */
let stays = 0
function newStay() {
  stays += 1
  return { checkIn: dayFromNow(20 + stays), checkOut: dayFromNow(22 + stays) }
}

type Stay = ReturnType<typeof newStay>
type Read = (hotel: Hotel, stay: Stay, locale: string) => Promise<Priced | undefined>

const query = (stay: Stay, locale: string) => ({ query: { ...PREFERENCES, ...stay, locale } })
const text = (stay: Stay) => `checkIn=${stay.checkIn}&checkOut=${stay.checkOut}`
const cheapest = ({ body }: { body: Record<string, unknown> }): Priced => ({
  availability: body['availability'],
  rateSnapshot: body['cheapestRateSnapshot'] as Priced['rateSnapshot'],
})

/** Every response of the API that has a price of a stay. */
const SURFACES: Record<string, Read> = {
  'a card': async ({ propertyId }, dates, locale) => {
    const found = await post(url, '/search', { json: searchRequest({ dates, locale }) })
    return itemsOf(found).find((card) => card.propertyId === propertyId)
  },
  'the targeted pin': async ({ propertyId }, dates, locale) => {
    const json = mapRequest({ dates, locale, targetPropertyId: propertyId })
    const pins: readonly Priced[] = pinsOf(await searchMap(url, json))
    return pins.find((pin) => pin['propertyId'] === propertyId)
  },
  'a hotel page': async ({ propertyId }, stay, locale) =>
    cheapest(await getHotel(url, propertyId, query(stay, locale))),
  'a similar hotel': async ({ propertyId }, stay, locale) => {
    const neighbour = hotelOf(fixture.upstreams, 0).propertyId
    const { body } = await getHotel(url, neighbour, query(stay, locale))
    const cards = body['similarProperties'] as (Priced & { propertyId: string })[]
    return cards.find((card) => card.propertyId === propertyId)
  },
  'the price route': async ({ propertyId }, stay, locale) =>
    cheapest(await getHotelPrice(url, propertyId, query(stay, locale))),
  'a comparison': async ({ propertyId }, stay, locale) => {
    const headers = { 'accept-language': locale }
    const { body } = await get(url, `/compare?ids=${propertyId}&${text(stay)}`, headers)
    return (body['hotels'] as { card: Priced }[])[0]?.card
  },
  'a wishlist': async ({ propertyId }, stay, locale) => {
    const guest = await startWishlistClient(url, { 'accept-language': locale })
    await guest.add(propertyId)
    const { body } = await guest.list(`?${text(stay)}`)
    return (body['items'] as { card: Priced }[])[0]?.card
  },
}

describe.each(Object.entries(SURFACES))('C17 the price of %s', (_name, read) => {
  const hotel = () => hotelOf(fixture.upstreams, 2)

  it.each([
    ['en', ''],
    ['fa-AF', ' فا'],
  ])('has all of its terms, in the language %s', async (locale, suffix) => {
    const stay = newStay()
    const price = await read(hotel(), stay, locale)
    expect(price?.availability).toEqual({ bookable: true })
    expect(price?.rateSnapshot).toMatchObject({ totalForStayMinor: 500_004, currency: 'AFN' })
    expect(price?.rateSnapshot?.['offer']).toEqual(shownOffer('NRF', stay.checkIn, suffix))
  })

  it('is absent where the stay cannot be booked, and the reason is given', async () => {
    fixture.upstreams.unsold.add(hotel().propertyId)
    const price = await read(hotel(), newStay(), 'en')
    expect(price?.rateSnapshot).toBeUndefined()
    expect(price?.availability).toEqual({ bookable: false, reason: 'sold_out' })
  })

  it('says nothing about the stay while prices are missing', async () => {
    fixture.upstreams.behaviour.pricing.mode = 'down'
    const price = await read(hotel(), newStay(), 'en')
    expect(price).toBeDefined()
    expect([price?.rateSnapshot, price?.availability]).toEqual([undefined, undefined])
    fixture.upstreams.reset()
    await expect
      .poll(async () => (await read(hotel(), newStay(), 'en'))?.availability, { timeout: 5_000 })
      .toEqual({ bookable: true })
  })
})

describe('C17 filters', () => {
  it('by cancellation show the cheapest offer with such terms', async () => {
    const dates = newStay()
    const filters = { cancellationFlexibility: 'free' }
    const found = await post(url, '/search', { json: searchRequest({ dates, filters }) })
    const [rate] = pricesOf(found)
    expect(rate).toMatchObject({
      totalForStayMinor: 550_000,
      offer: shownOffer('BAR', dates.checkIn),
    })
    const { propertyId } = hotelOf(fixture.upstreams)
    const targeted = mapRequest({ dates, filters, targetPropertyId: propertyId })
    const pin = pinsOf(await searchMap(url, targeted)).find((one) => one.propertyId === propertyId)
    expect(pin?.['rateSnapshot']).toMatchObject({ offer: shownOffer('BAR', dates.checkIn) })
    const any = mapRequest({ dates, targetPropertyId: propertyId })
    const other = pinsOf(await searchMap(url, any)).find((one) => one.propertyId === propertyId)
    expect(other?.['rateSnapshot']).toMatchObject({ offer: shownOffer('NRF', dates.checkIn) })
  })

  it('by price bound the night or the whole stay', async () => {
    const sent = async (priceRange: object) => {
      const json = searchRequest({ dates: newStay(), filters: { priceRange } })
      expect((await post(url, '/search', { json })).status).toBe(200)
      const sentTo = fixture.upstreams.requests.filter(({ upstream }) => upstream === 'search')
      const filters = sentTo.at(-1)?.body['filters'] as { priceRange: object } | undefined
      return filters?.priceRange
    }
    const range = { min: 100, max: 200, currency: 'AFN' }
    const bounds = { minMicro: '1000000', maxMicro: '2000000', currency: 'AFN' }
    expect(await sent(range)).toEqual(bounds)
    expect(await sent({ ...range, per: 'night' })).toEqual(bounds)
    expect(await sent({ ...range, per: 'stay' })).toEqual({ ...bounds, per: 'stay' })
    const json = searchRequest({ filters: { priceRange: { ...range, per: 'week' } } })
    expect((await post(url, '/search', { json })).status).toBe(400)
  })
})

it('C17 the price in three languages is one upstream call', async () => {
  const { propertyId } = hotelOf(fixture.upstreams, 4)
  const stay = newStay()
  for (const locale of ['en', 'ps-AF', 'fa-AF']) {
    expect((await getPath(url, `/hotels/${propertyId}/price`, query(stay, locale))).status).toBe(
      200,
    )
  }
  const previews = fixture.upstreams.requests.filter(({ path }) => path.endsWith('preview'))
  expect(previews).toHaveLength(1)
})
