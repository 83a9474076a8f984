import { addDays, type StayDates } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AvailabilityVM, RoomVM } from '../../src/availability/availability-view.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf, hotelsOf, stayAt } from '../harness/stays.ts'

let booking: Booking
let hotel: PropertyDetail
let other: PropertyDetail

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
  other = await hotelOf(booking, OTHER_SLUG)
})
afterAll(() => booking[Symbol.asyncDispose]())

function query(stay: StayDates, more: Record<string, string | number> = {}) {
  const values = { ...stay, propertyId: hotel.propertyId, ...more }
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  return `/availability?${pairs.join('&')}`
}

async function read(stay: StayDates, more: Record<string, string | number> = {}) {
  const response = await booking.site.browser().get(query(stay, more))
  return { ...response, view: JSON.parse(response.text) as AvailabilityVM }
}

const roomOf = ({ rooms }: AvailabilityVM, roomTypeId: string): RoomVM => {
  const room = rooms.find((each) => each.roomTypeId === roomTypeId)
  if (room === undefined) throw new Error('the room type is missing')
  return room
}
const firstRoom = () => {
  const [room] = hotel.roomTypes
  if (room === undefined) throw new Error('the hotel has no rooms')
  return room
}

describe('GET /availability', () => {
  it('T4 lists every room with its cheapest rate and what the price means (D33)', async () => {
    const { status, view } = await read(stayAt(hotel, { days: 20 }))
    expect(status).toBe(200)
    expect(view.rooms).toHaveLength(hotel.roomTypes.length)
    const room = view.rooms.find(({ bookable }) => bookable)
    expect(room?.cheapest).toEqual(room?.offers[0])
    expect(room?.offers.length).toBeGreaterThan(1)
    expect(room?.cheapest).toMatchObject({
      ratePlanCode: expect.any(String),
      board: expect.stringMatching(/room_only|breakfast/),
      cancellation: { kind: expect.any(String) },
      taxesIncluded: true,
      feesIncluded: true,
      isStale: false,
      digest: expect.stringMatching(/^sha256:/),
    })
    const totals = view.rooms.flatMap(({ cheapest }) => cheapest?.total.amountMinor ?? [])
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
    expect(view).toMatchObject({ degraded: false, stale: false, timeZone: hotel.timeZone })
  })

  it('states the deadline of free cancellation by the clocks of the hotel', async () => {
    const stay = stayAt(hotel, { days: 21 })
    const { view } = await read(stay)
    const terms = view.rooms.flatMap(({ offers }) => offers).map((each) => each.cancellation)
    const free = terms.find(({ freeUntil }) => freeUntil !== undefined)
    // 48 or 72 hours before noon in Dubai (+04:00), where clocks never change.
    const days = (free?.freeUntilHours ?? 0) / 24
    expect(free?.freeUntil).toBe(`${addDays(stay.checkIn, -days)}T08:00:00.000Z`)
    expect(terms.find(({ kind }) => kind === 'none')).not.toHaveProperty('freeUntil')
  })

  it('shows how many rooms are left up to five, and no price for a sold-out one', async () => {
    const { roomTypeId } = firstRoom()
    const staff = createStaff(booking, hotel)
    const stay = stayAt(hotel, { days: 330 })
    const at = async (days: number, capacity: number) => {
      const nights = stayAt(hotel, { days, nights: 1 })
      await staff.setCapacity(roomTypeId, nights, capacity)
      return roomOf((await read(nights)).view, roomTypeId)
    }
    expect(await at(340, 5)).toMatchObject({ left: 5, bookable: true })
    expect(await at(341, 6)).not.toHaveProperty('left')
    const gone = await at(342, 0)
    expect(gone).toMatchObject({ soldOut: true, bookable: false, reason: 'sold_out', offers: [] })
    expect(gone).not.toHaveProperty('cheapest')
    // One night without rooms makes the whole stay impossible.
    await staff.setCapacity(roomTypeId, { ...stay, checkOut: addDays(stay.checkIn, 1) }, 0)
    expect(roomOf((await read(stay)).view, roomTypeId)).toMatchObject({ soldOut: true })
  })

  it('marks rooms that are too small for the guests', async () => {
    const { view } = await read(stayAt(hotel, { days: 22 }), { adults: 30 })
    expect(view.rooms.every(({ reason }) => reason === 'too_small')).toBe(true)
  })

  it('has the requested language and currency, and rejects those that the site lacks', async () => {
    const stay = stayAt(hotel, { days: 23 })
    const english = await read(stay)
    const pashto = await read(stay, { locale: 'ps', currency: 'USD' })
    expect(pashto.view.rooms[0]?.name).not.toBe(english.view.rooms[0]?.name)
    expect(pashto.view.currency).toMatchObject({ requested: 'USD', shown: 'USD', converted: true })
    expect(english.view.currency).toMatchObject({ requested: 'AED', converted: false })
    const codes = [await read(stay, { locale: 'de' }), await read(stay, { currency: 'IRR' })]
    expect(codes.map(({ status, body }) => [status, body['code']])).toEqual([
      [422, 'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED'],
      [422, 'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED'],
    ])
  })

  it('needs a hotel only where the site has several', async () => {
    const stay = stayAt(other, { days: 20 })
    const path = `/availability?checkIn=${stay.checkIn}&checkOut=${stay.checkOut}`
    expect((await hotelsOf(booking, OTHER_SLUG)).length).toBe(1)
    expect((await booking.otherSite.browser().get(path)).body).toMatchObject({
      propertyId: other.propertyId,
    })
    const { status, body } = await booking.site.browser().get(path)
    expect([status, body['errors']]).toMatchObject([400, [{ pointer: '/query/propertyId' }]])
  })

  it('rejects invalid stays with a pointer to each field', async () => {
    const stay = stayAt(hotel, { days: 24 })
    const { checkIn, checkOut } = stay
    const errors = async (path: string) => {
      const { status, body } = await booking.site.browser().get(path)
      expect(status).toBe(400)
      return (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)
    }
    const swapped = { checkIn: checkOut, checkOut: checkIn }
    expect(await errors(query(swapped))).toEqual(['/query/checkOut'])
    expect(await errors(query(stayAt(hotel, { days: 24, nights: 31 })))).toEqual([
      '/query/checkOut',
    ])
    expect(await errors(query(stay, { children: 2, childrenAges: 4 }))).toEqual([
      '/query/childrenAges',
    ])
    expect(await errors(query(stay, { rooms: 11 }))).toEqual(['/query/rooms'])
  })

  it('is composed once: the second request is a hit, and an unchanged one has no body', async () => {
    const stay = stayAt(hotel, { days: 25 })
    const first = await read(stay)
    const second = await read(stay)
    const headers = { 'if-none-match': second.headers.get('etag') ?? '' }
    const third = await booking.site.browser().get(query(stay), { headers })
    expect([first, second].map((each) => each.headers.get('x-cache'))).toEqual(['MISS', 'HIT'])
    expect([second.text, third.status, third.text]).toEqual([first.text, 304, ''])
    expect(second.headers.get('cache-control')).toBe('private, no-cache')
    expect(second.headers.get('set-cookie')).toBeNull()
  })

  it('is not served to another tenant, however warm it is', async () => {
    const stay = stayAt(hotel, { days: 25 })
    await read(stay)
    const { status, body } = await booking.otherSite.browser().get(query(stay))
    expect([status, body['code']]).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
  })

  it('has an entry of its own for every input it depends on', async () => {
    const stay = stayAt(hotel, { days: 26 })
    const variants = [
      query(stay),
      query(stay, { adults: 1 }),
      query(stay, { children: 1, childrenAges: 4 }),
      query(stay, { children: 1, childrenAges: 9 }),
      query(stay, { rooms: 2 }),
      query(stay, { currency: 'USD' }),
      query(stay, { locale: 'fa-AF' }),
      query({ ...stay, checkOut: addDays(stay.checkOut, 1) }),
    ]
    for (const path of variants) {
      const { headers } = await booking.site.browser().get(path)
      expect([path, headers.get('x-cache')]).toEqual([path, 'MISS'])
    }
  })
})
