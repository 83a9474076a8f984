import { addDays, type IsoDate, newId, todayIn } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { HotelCalendarVM } from '../../src/calendar/hotel-calendar.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { ROOM_TYPE_ID } from '../harness/fake-upstreams/property-responses.ts'
import { getPath, hotelOf, ownHeadersOf, PREFERENCES } from '../harness/hotel-client.ts'
import { outcomeOf, pointersOf } from '../harness/map-client.ts'
import { dayFromNow, sectionsOf } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock } = fixture

type Query = Record<string, string | string[]>
const FROM = dayFromNow(10)
const calendarAt = (at: number, query: Query = { from: FROM }, headers = {}) =>
  getPath(fixture.service.url, `/hotels/${hotelOf(fixture.upstreams, at).propertyId}/calendar`, {
    query: { ...PREFERENCES, ...query },
    headers,
  })
const daysOf = ({ body }: { body: Record<string, unknown> }) =>
  body['days'] as Record<string, unknown>[]
const calls = () =>
  fixture.upstreams.requests.filter(({ path }) => path.endsWith('/calendar')).length

describe('C18 the calendar of a hotel', () => {
  it('has the cheapest price, the rooms left and the minimum stay of sixty days', async () => {
    const response = await calendarAt(0)
    expect(response.status).toBe(200)
    expect(closedCheck(HotelCalendarVM)(response.body)).toEqual([])
    expect(response.text).not.toContain('must not get through')
    expect(response.body).toMatchObject({
      sections: { prices: { status: 'fresh' } },
      degraded: false,
      propertyId: hotelOf(fixture.upstreams).propertyId,
      from: FROM,
      occupancy: { adults: 2, children: 0, rooms: 1 },
      rates: { currencyDisplayPolicy: 'user-preferred', isStale: false },
    })
    const days = daysOf(response)
    const expected = Array.from({ length: 60 }, (_, at) => addDays(FROM as IsoDate, at))
    expect(days.map(({ date }) => date)).toEqual(expected)
    expect(days[5]).toEqual({
      date: expected[5],
      availability: { bookable: true },
      minNights: 2,
      roomsLeft: 3,
      cheapest: {
        nights: 2,
        cheapestNightlyMinor: 250_000,
        totalForStayMinor: 500_000,
        currency: 'AFN',
        roomTypeId: ROOM_TYPE_ID,
        ratePlanCode: 'NRF',
      },
    })
    expect(days[6]).toEqual({
      date: expected[6],
      availability: { bookable: false, reason: 'sold_out' },
      roomsLeft: 0,
    })
  })

  it('has up to 92 days, from today at the hotel by default, for the party', async () => {
    const party = { adults: '3', children: '1', rooms: '2', childrenAges: '7' }
    const response = await calendarAt(1, { nights: '92', ...party })
    expect(daysOf(response)).toHaveLength(92)
    const today = todayIn('Asia/Kabul', clock.now())
    expect(response.body['from']).toBe(today)
    const request = fixture.upstreams.requests.find(({ path }) => path.endsWith('/calendar'))
    expect(request?.body).toEqual({
      from: today,
      nights: 92,
      occupancy: { adults: 3, children: 1, rooms: 2, childrenAges: [7] },
      currency: 'AFN',
    })
  })

  it('omits amounts that cannot be a price', async () => {
    const hotel = hotelOf(fixture.upstreams, 2)
    const { nightlyMicro } = hotel
    hotel.nightlyMicro = '2500000001'
    const days = daysOf(await calendarAt(2))
    hotel.nightlyMicro = nightlyMicro
    expect(days.some(({ cheapest }) => cheapest !== undefined)).toBe(false)
    expect(days[0]).toMatchObject({ availability: { bookable: false, reason: 'no_rate' } })
  })

  it('comes from the search projection only (C5), and is cached for a minute', async () => {
    const first = await calendarAt(3)
    const upstreams = fixture.upstreams.requests.map(({ upstream }) => upstream)
    expect(new Set(upstreams)).toEqual(new Set(['search', 'property']))
    expect(first.headers.get('cache-control')).toBe('private, max-age=15')
    expect(ownHeadersOf(first)).not.toContain('set-cookie')
    const again = await calendarAt(3, { from: FROM, nights: '60', adults: '2', locale: 'ps-AF' })
    expect([again.headers.get('x-cache'), again.text]).toEqual(['HIT', first.text])
    const etag = first.headers.get('etag') ?? ''
    expect((await calendarAt(3, { from: FROM }, { 'if-none-match': etag })).status).toBe(304)
    expect(calls()).toBe(1)
    clock.advance(61_000)
    await calendarAt(3)
    expect(calls()).toBe(2)
  })

  it('is served as stale while the projection is down', async () => {
    await calendarAt(4)
    fixture.upstreams.behaviour.search.mode = 'down'
    clock.advance(70_000)
    const response = await calendarAt(4)
    expect([sectionsOf(response), response.body['degraded']]).toEqual([{ prices: 'stale' }, true])
    expect(response.body['rates']).toMatchObject({ isStale: true })
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  it.each<[string, Query, string[]]>([
    ['93 days', { nights: '93' }, ['/query/nights']],
    ['no days', { nights: '0' }, ['/query/nights']],
    ['a first day in the past', { from: dayFromNow(-3) }, ['/query/from']],
    ['a first day too far ahead', { from: dayFromNow(800) }, ['/query/from']],
    ['an impossible day', { from: '2027-02-30' }, ['/query/from']],
    [
      'ages of other children',
      { children: '1', childrenAges: ['1', '2'] },
      ['/query/childrenAges'],
    ],
    ['an unknown parameter', { to: dayFromNow(9) }, ['/query/to']],
  ])('with %s is rejected by pointer', async (_what, query, pointers) => {
    const response = await calendarAt(0, query)
    expect(outcomeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(response)).toEqual(pointers)
  })

  it('of an unknown hotel is not found', async () => {
    const path = `/hotels/${newId('ppt')}/calendar`
    const response = await getPath(fixture.service.url, path, { query: PREFERENCES })
    expect(outcomeOf(response)).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
  })
})

it('begins with the new day as soon as it begins at the hotel', async () => {
  const TEN_SECONDS_MS = 10_000
  const midnight = new Date(`${addDays(todayIn('UTC', clock.now()), 1)}T19:30:00.000Z`)
  clock.setNow(new Date(midnight.getTime() - TEN_SECONDS_MS))
  const firstDay = async () => (await calendarAt(6, {})).body['from']
  const last = todayIn('Asia/Kabul', clock.now())
  for (let turn = 0; turn < 3; turn += 1) expect(await firstDay()).toBe(last)
  clock.advance(TEN_SECONDS_MS)
  expect(await firstDay()).toBe(addDays(last, 1))
})
