import { addDays, newId, todayIn } from '@melmastoon/domain'
import { beforeEach, describe, expect, it } from 'vitest'
import { HotelOffersVM } from '../../src/offers/hotel-offers.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import {
  type GetOptions,
  getPath,
  hotelOf,
  ownHeadersOf,
  PREFERENCES,
} from '../harness/hotel-client.ts'
import { outcomeOf, pointersOf } from '../harness/map-client.ts'
import { shownPriceTerms, shownTerms } from '../harness/shown-offer.ts'
import { dayFromNow, sectionsOf } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock } = fixture
beforeEach(() => fixture.upstreams.unsold.clear())

const STAY = { checkIn: dayFromNow(20), checkOut: dayFromNow(22) }
const ASKED = { query: { ...PREFERENCES, ...STAY } }
const offersAt = (at: number, options: GetOptions = ASKED) =>
  getPath(
    fixture.service.url,
    `/hotels/${hotelOf(fixture.upstreams, at).propertyId}/offers`,
    options,
  )
const calls = () => fixture.upstreams.requests.filter(({ path }) => path.endsWith('/offers')).length

interface Room extends Record<string, unknown> {
  offers: Record<string, unknown>[]
}
const roomsOf = ({ body }: { body: Record<string, unknown> }) => body['rooms'] as Room[]

describe('C18 the offers of a hotel', () => {
  it('are all room types with all rate plans, priced, with payment methods and policies', async () => {
    const response = await offersAt(0)
    expect(response.status).toBe(200)
    expect(closedCheck(HotelOffersVM)(response.body)).toEqual([])
    expect(response.text).not.toContain('must not get through')
    const { propertyId, tenantId } = hotelOf(fixture.upstreams)
    expect(response.body).toMatchObject({
      sections: { property: { status: 'fresh' }, prices: { status: 'fresh' } },
      degraded: false,
      propertyId,
      tenantId,
      timeZone: 'Asia/Kabul',
      stay: STAY,
      occupancy: { adults: 2, children: 0, rooms: 1 },
      availability: { bookable: true },
      rates: { currencyDisplayPolicy: 'user-preferred', isStale: false },
      paymentMethods: ['cash_on_arrival', 'card'],
      policies: {
        checkIn: '14:00',
        houseRules: [{ code: 'quiet-hours', text: 'Quiet from ten.' }],
        details: {
          children: { text: 'Children are welcome.', allowed: true, freeUntilAge: 5 },
          extraBeds: { maxPerRoom: 1, cribs: true },
          pets: { text: 'No pets.', allowed: false },
          lateArrival: { latestCheckIn: '22:00', noticeRequired: true },
          identityDocuments: { accepted: ['passport', 'national_id'] },
        },
      },
      handoffHint: { url: `/bff/consumer/v1/handoff/${tenantId}/${propertyId}` },
    })
    const [room, ...others] = roomsOf(response)
    expect(others).toEqual([])
    expect(room).toMatchObject({
      name: { default: 'Twin room' },
      sizeSqm: 20,
      beds: [{ kind: 'single', count: 2 }],
      photos: [{ url: 'https://photos.example/room.jpg', alt: 'The house' }],
      roomsLeft: 3,
    })
    const plan = (code: 'NRF' | 'BAR', nightly: number) => ({
      ...shownTerms(code, STAY.checkIn),
      minNights: 1,
      maxNights: 30,
      advanceDaysMin: 0,
      availability: { bookable: true },
      price: {
        cheapestNightlyMinor: nightly,
        totalForStayMinor: nightly * 2,
        currency: 'AFN',
        ...shownPriceTerms(code),
        lines: [
          ...[STAY.checkIn, dayFromNow(21)].map((night) => ({
            kind: 'night',
            code,
            label: 'Night',
            night,
            quantity: 1,
            amountMinor: nightly,
            included: false,
          })),
          {
            kind: 'tax',
            code: 'vat',
            label: 'Value added tax',
            quantity: 1,
            amountMinor: 5_000,
            included: true,
          },
        ],
      },
    })
    expect(room?.offers).toEqual([plan('NRF', 250_000), plan('BAR', 275_000)])
  })

  it('that cannot be booked have a reason and no price', async () => {
    fixture.upstreams.unsold.add(hotelOf(fixture.upstreams, 1).propertyId)
    const response = await offersAt(1)
    expect(closedCheck(HotelOffersVM)(response.body)).toEqual([])
    const soldOut = { bookable: false, reason: 'sold_out' }
    expect(response.body).toMatchObject({ availability: soldOut, degraded: false })
    const offers = roomsOf(response).flatMap((room) => room.offers)
    expect(offers.map(({ availability, price }) => [availability, price])).toEqual([
      [soldOut, undefined],
      [soldOut, undefined],
    ])
    expect(roomsOf(response)[0]?.['roomsLeft']).toBe(0)
  })

  it('with an invalid price are omitted, the others are shown', async () => {
    const hotel = hotelOf(fixture.upstreams, 2)
    const { nightlyMicro } = hotel
    // Not a whole number of minor units; the price of the other plan is rounded.
    hotel.nightlyMicro = '2500000001'
    const response = await offersAt(2)
    hotel.nightlyMicro = nightlyMicro
    expect(roomsOf(response)[0]?.offers.map((offer) => offer['ratePlanCode'])).toEqual(['BAR'])
  })

  it('with lines that do not add up to the total are omitted', async () => {
    const hotel = hotelOf(fixture.upstreams, 10)
    fixture.upstreams.unevenLines.add(hotel.propertyId)
    const response = await offersAt(10)
    fixture.upstreams.unevenLines.clear()
    expect(roomsOf(response)[0]?.offers.map((offer) => offer['ratePlanCode'])).toEqual(['NRF'])
  })

  it('are in the language and currency of the request, with one upstream call per currency', async () => {
    const show = (locale: string, currency: string) =>
      offersAt(3, { query: { ...STAY, locale, currency } })
    const [dari] = [await show('fa-AF', 'USD'), await show('en', 'USD'), await show('en', 'AFN')]
    expect(roomsOf(dari)[0]?.offers[1]).toMatchObject({
      ratePlanName: 'Flexible فا',
      price: { currency: 'USD', charges: [{ label: 'Value added tax فا' }] },
    })
    expect(dari.body['policies']).toMatchObject({ details: { pets: { text: 'No pets. فا' } } })
    expect(calls()).toBe(2)
  })

  it('without a stay are those of tomorrow at the hotel, for two adults', async () => {
    const { body } = await offersAt(0, { query: PREFERENCES })
    const tomorrow = addDays(todayIn('Asia/Kabul', clock.now()), 1)
    expect(body['stay']).toEqual({ checkIn: tomorrow, checkOut: addDays(tomorrow, 1) })
  })

  it('pass the party on', async () => {
    const party = { adults: '3', children: '2', rooms: '2', childrenAges: ['9', '4'] }
    await offersAt(0, { query: { ...PREFERENCES, ...STAY, ...party } })
    const request = fixture.upstreams.requests.find(({ path }) => path.endsWith('/offers'))
    expect(request?.body).toEqual({
      stay: STAY,
      occupancy: { adults: 3, children: 2, rooms: 2, childrenAges: [4, 9] },
      currency: 'AFN',
    })
  })

  it('come from the search projection only (C5)', async () => {
    await fixture.service.ctx.cache.invalidate(['hotel'])
    fixture.upstreams.requests.length = 0
    await offersAt(0)
    const called = fixture.upstreams.requests.map(({ upstream, path }) => `${upstream} ${path}`)
    const { propertyId } = hotelOf(fixture.upstreams)
    expect(called.toSorted()).toEqual([
      `property api/v1/properties/${propertyId}`,
      `search api/v1/search/hotels/${propertyId}`,
      `search api/v1/search/hotels/${propertyId}/offers`,
    ])
  })
})

describe('D5 D6 the response', () => {
  it('sets no cookie, is private and fresh for seconds, and is not sent again unchanged', async () => {
    const first = await offersAt(5)
    expect(first.headers.get('cache-control')).toBe('private, max-age=15')
    expect(first.headers.get('vary')).toBe('Accept-Encoding')
    expect(ownHeadersOf(first)).not.toContain('set-cookie')
    const again = await offersAt(5)
    expect([again.headers.get('x-cache'), again.text]).toEqual(['HIT', first.text])
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await offersAt(5, { ...ASKED, headers })).status).toBe(304)
    expect(calls()).toBe(1)
  })

  it('varies on the headers that replace missing parameters', async () => {
    const headers = { 'accept-language': 'ps-AF', 'x-currency': 'USD' }
    const response = await offersAt(5, { query: STAY, headers })
    expect(response.headers.get('vary')).toBe(
      'Accept-Language, X-Currency, Cookie, Accept-Encoding',
    )
    expect(response.headers.get('content-language')).toBe('ps-AF')
    expect(roomsOf(response)[0]?.offers[0]).toMatchObject({ price: { currency: 'USD' } })
  })

  it('has prices that are revalidated within a minute', async () => {
    await offersAt(6)
    clock.advance(49_000)
    expect((await offersAt(6)).body).toMatchObject({ rates: { isStale: false } })
    expect(calls()).toBe(1)
    clock.advance(12_000)
    const renewed = await offersAt(6)
    expect(renewed.body).toMatchObject({ rates: { capturedAt: clock.now().toISOString() } })
    expect(calls()).toBe(2)
  })

  it('has the prices that were loaded last, also within one minute', async () => {
    const MINUTE_MS = 60_000
    clock.setNow(new Date(Math.ceil(clock.nowMs() / MINUTE_MS) * MINUTE_MS))
    for (let turn = 0; turn < 3; turn += 1) await offersAt(7)
    clock.advance(51_000)
    const capturedAt = clock.now().toISOString()
    await expect.poll(async () => (await offersAt(7)).body).toMatchObject({ rates: { capturedAt } })
    expect(calls()).toBe(2)
  })

  it('has stale prices while the projection is down, and says so', async () => {
    await offersAt(9)
    fixture.upstreams.behaviour.search.mode = 'down'
    clock.advance(70_000)
    const response = await offersAt(9)
    expect(sectionsOf(response)).toEqual({ property: 'fresh', prices: 'stale' })
    expect(response.body).toMatchObject({ degraded: true, rates: { isStale: true } })
    expect(roomsOf(response)[0]?.offers[0]).toMatchObject({ availability: { bookable: true } })
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('is stale from the start with old exchange rates', async () => {
    fixture.upstreams.offersExtra = { fxStale: true }
    expect((await offersAt(7)).body['rates']).toMatchObject({ isStale: true })
  })
})

describe('a request for offers', () => {
  it.each([
    ['one date', { checkIn: dayFromNow(3) }, ['/query/checkOut']],
    ['dates in the past', { checkIn: dayFromNow(-5), checkOut: dayFromNow(2) }, ['/query/checkIn']],
    ['no adults', { ...STAY, adults: '0' }, ['/query/adults']],
    [
      'ages of other children',
      { ...STAY, children: '1', childrenAges: ['4', '5'] },
      ['/query/childrenAges'],
    ],
    ['an unknown parameter', { ...STAY, room: '7' }, ['/query/room']],
  ])('with %s is rejected by pointer', async (_what, query, pointers) => {
    const response = await offersAt(0, { query: { ...PREFERENCES, ...query } })
    expect(outcomeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(response)).toEqual(pointers)
  })

  it('of an unknown or unlisted hotel is not found', async () => {
    const path = `/hotels/${newId('ppt')}/offers`
    const unknown = await getPath(fixture.service.url, path, ASKED)
    expect(outcomeOf(unknown)).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    fixture.upstreams.unlisted.add(hotelOf(fixture.upstreams, 13).propertyId)
    expect((await offersAt(13)).status).toBe(404)
    fixture.upstreams.unlisted.clear()
  })

  it('is valid with all sections fresh', async () => {
    expect(sectionsOf(await offersAt(8))).toEqual({ property: 'fresh', prices: 'fresh' })
  })
})
