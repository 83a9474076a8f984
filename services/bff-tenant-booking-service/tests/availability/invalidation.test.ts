import type { StayDates } from '@melmastoon/domain'
import { createTestClock, eventually } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AvailabilityVM, RoomVM } from '../../src/availability/availability-view.ts'
import { createSite } from '../harness/site.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf, stayAt, whileBroken } from '../harness/stays.ts'

let booking: Booking
let hotel: PropertyDetail

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
})
afterAll(() => booking[Symbol.asyncDispose]())

async function read(stay: StayDates, { url } = booking.service) {
  const path = `/availability?propertyId=${hotel.propertyId}&checkIn=${stay.checkIn}&checkOut=${stay.checkOut}`
  const { text, headers } = await createSite(url, SLUG).browser().get(path)
  const view = JSON.parse(text) as AvailabilityVM
  return { view, cache: headers.get('x-cache') }
}

function firstRoom({ rooms }: AvailabilityVM): RoomVM {
  const [{ roomTypeId } = { roomTypeId: '' }] = hotel.roomTypes
  const room = rooms.find((each) => each.roomTypeId === roomTypeId)
  if (room === undefined) throw new Error('the room type is missing')
  return room
}

describe('availability is invalidated within a second', () => {
  it('T12 by published prices, in every process', async () => {
    await using another = await booking.startAnother()
    const stay = stayAt(hotel, { days: 20 })
    const before = firstRoom((await read(stay)).view).cheapest
    await read(stay, another)
    await createStaff(booking, hotel).changePrices(1_000)
    const changedMs = performance.now()
    for (const process of [booking.service, another]) {
      await eventually(async () => {
        const after = firstRoom((await read(stay, process)).view).cheapest
        if (after?.digest === before?.digest) throw new Error('still the old price')
        expect(after?.total.amountMinor).toBeGreaterThan(before?.total.amountMinor ?? 0)
      })
    }
    // The relay, the bus and one poll of another process, on a busy machine.
    expect(performance.now() - changedMs).toBeLessThan(3_000)
  })

  it('T12 by a sold room, for overlapping stays only', async () => {
    const { roomTypeId } = firstRoom((await read(stayAt(hotel, { days: 330 }))).view)
    const staff = createStaff(booking, hotel)
    const stay = stayAt(hotel, { days: 330 })
    const apart = stayAt(hotel, { days: 345 })
    await staff.setCapacity(hotel.roomTypes[0]?.roomTypeId ?? roomTypeId, stay, 4)
    const overlapping = stayAt(hotel, { days: 331, nights: 1 })
    expect(firstRoom((await read(overlapping)).view).left).toBe(4)
    await read(apart)
    await staff.sell(roomTypeId, stay)
    await eventually(async () => {
      expect(firstRoom((await read(overlapping)).view).left).toBe(3)
    })
    expect((await read(apart)).cache).toBe('HIT')
  })
})

describe('with its own clock', () => {
  it('F-3 uses room counts of up to a minute while inventory is down, without the badge', async () => {
    const clock = createTestClock(new Date())
    await using another = await booking.startAnother({ clock })
    const stay = stayAt(hotel, { days: 40 })
    expect((await read(stay, another)).view.sections.inventory.status).toBe('fresh')
    await whileBroken(booking, ['inventory', { kind: 'down' }], async () => {
      clock.advance(45_000)
      const { view } = await read(stay, another)
      expect(view).toMatchObject({ stale: true, sections: { inventory: { status: 'stale' } } })
      expect(view.rooms.every((room) => !('left' in room))).toBe(true)
      clock.advance(20_000)
      const later = await read(stay, another)
      expect(later.view.sections.inventory.status).toBe('missing')
    })
  })

  it('T18 keeps responses longer during a flash sale, and marks prices older than a minute', async () => {
    const clock = createTestClock(new Date())
    await using another = await booking.startAnother({ clock })
    const redis = booking.service.ctx.cacheRedis
    const states = async (stay: StayDates) => {
      const first = await read(stay, another)
      clock.advance(40_000)
      const second = await read(stay, another)
      clock.advance(50_000)
      const third = await read(stay, another)
      return [first.cache, second.cache, third.cache, firstRoom(third.view).cheapest]
    }
    expect(await states(stayAt(hotel, { days: 50 }))).toMatchObject(['MISS', 'MISS', 'MISS', {}])
    await redis.set('bff-tenant-flags', JSON.stringify({ flashSale: true }))
    try {
      await eventually(() => {
        if (!another.ctx.flags.isFlashSale(hotel.tenantId)) throw new Error('not read yet')
      })
      expect(await states(stayAt(hotel, { days: 51 }))).toMatchObject([
        'MISS',
        'HIT',
        'MISS',
        { isStale: true },
      ])
    } finally {
      await redis.del('bff-tenant-flags')
    }
  })

  it('counts days by the clocks of the hotel', async () => {
    const slug = 'gulistan-hotel'
    const kabul = await hotelOf(booking, slug)
    expect(kabul.timeZone).toBe('Asia/Kabul')
    const day = new Date().toISOString().slice(0, 10)
    const clock = createTestClock(new Date(`${day}T23:30:00.000Z`))
    await using another = await booking.startAnother({ clock })
    const browser = createSite(another.url, slug).browser()
    const at = async (from: number) => {
      const checkIn = new Date(Date.parse(day) + from * 86_400_000).toISOString().slice(0, 10)
      const checkOut = new Date(Date.parse(day) + (from + 1) * 86_400_000)
        .toISOString()
        .slice(0, 10)
      const path = `/availability?propertyId=${kabul.propertyId}`
      return await browser.get(`${path}&checkIn=${checkIn}&checkOut=${checkOut}`)
    }
    // It is four in the morning of the next day in Kabul.
    const past = await at(0)
    expect([past.status, past.body['errors']]).toMatchObject([
      400,
      [{ pointer: '/query/checkIn', code: 'past' }],
    ])
    expect((await at(1)).status).toBe(200)
  })
})
