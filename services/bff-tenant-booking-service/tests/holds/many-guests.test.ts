import { addDays, type IsoDate, todayIn } from '@melmastoon/domain'
import { createTestClock } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import type { QuoteVM } from '../../src/quotes/quote-view.ts'
import {
  createDesk,
  draftOf,
  expectView,
  hold,
  OCCUPANCY,
  quoteOf,
  roomTypeOf,
} from '../harness/booking-flow.ts'
import type { Guest } from '../harness/site.ts'
import {
  type Booking,
  OTHER_SLUG,
  PATIENT,
  type RunningBooking,
  SLUG,
  startWithSandbox,
} from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'
import {
  createGuests,
  createNights,
  mapAtOnce,
  percentile,
  raceForRooms,
  tally,
} from './race-for-rooms.ts'

/** HOLD-00, the negative control, switches the guard of the sandbox off in its own tests. */
const GUESTS = 200
const SOLD_OUT = '409 BFF.TENANT.SOLD_OUT'
/** The sandbox and three instances share one process here. */
const AT_ONCE = 50
const SLOW = { timeout: 60_000 }

let booking: Booking
let hotel: PropertyDetail
let others: RunningBooking[]
let guests: Guest[]

beforeAll(async () => {
  booking = await startWithSandbox({ overrides: { upstreamMs: PATIENT } })
  hotel = await hotelOf(booking, SLUG)
  others = [await booking.startAnother(), await booking.startAnother()]
  guests = await createGuests(booking, GUESTS)
}, 60_000)
afterAll(async () => {
  await Promise.all(others.map((other) => other[Symbol.asyncDispose]()))
  await booking[Symbol.asyncDispose]()
})

const urls = () => [booking.service.url, ...others.map(({ url }) => url)]

describe('the last rooms, sold by three instances', () => {
  it(
    'HOLD-01 one of 200 guests gets the last room, the others a clear rejection',
    SLOW,
    async () => {
      const options = { hotel, guests, rooms: 1, urls: urls(), atOnce: AT_ONCE }
      const { responses, latenciesMs, stay, roomTypeId } = await raceForRooms(booking, options)
      expect(tally(responses)).toEqual({ 201: 1, [SOLD_OUT]: GUESTS - 1 })
      const nights = await createNights(booking, hotel).read(roomTypeId, stay)
      expect(nights.map(({ available }) => available)).toEqual([0, 0])
      process.stdout.write(`HOLD-01 p95 ${percentile(latenciesMs, 0.95)} ms of ${GUESTS} guests\n`)
    },
  )

  it('HOLD-02 as many guests get a room as there are rooms', SLOW, async () => {
    for (const rooms of [0, 10]) {
      const few = guests.slice(0, 60)
      const race = await raceForRooms(booking, {
        hotel,
        guests: few,
        rooms,
        urls: urls(),
        atOnce: AT_ONCE,
      })
      const expected = rooms === 0 ? {} : { 201: rooms }
      expect(tally(race.responses)).toEqual({ ...expected, [SOLD_OUT]: few.length - rooms })
    }
  })

  it('HOLD-03 HOLD-06 overlapping and adjacent stays never exceed the rooms', SLOW, async () => {
    const roomTypeId = roomTypeOf(hotel)
    const start = addDays(todayIn(hotel.timeZone, new Date()), 300)
    const all = { checkIn: start, checkOut: addDays(start, 10) }
    const nights = createNights(booking, hotel)
    await nights.leave(roomTypeId, all, 2)
    const lengths = [2, 3, 1]
    const stays = guests.slice(60, 120).map((_, index) => {
      const checkIn = addDays(start, (index * 7) % 8)
      return { checkIn, checkOut: addDays(checkIn, lengths[index % 3] ?? 1) }
    })
    const responses = await mapAtOnce(stays, 20, async (stay, index) => {
      const guest = guests[60 + index]?.at({ url: urls()[index % 3] ?? '' })
      if (guest === undefined) throw new TypeError('too few guests')
      return await hold(guest, await quoteOf(guest, hotel, { stay, roomTypeId }))
    })
    const outcomes = Object.keys(tally(responses)).toSorted()
    expect(outcomes).toEqual(['201', SOLD_OUT])
    const held = new Map<string, number>()
    for (const { status, body } of responses) {
      if (status !== 201) continue
      const { checkIn, checkOut } = (body as DraftVM).terms.stay
      for (let night = checkIn; night < checkOut; night = addDays(night, 1)) {
        held.set(night, (held.get(night) ?? 0) + 1)
      }
    }
    expect(Math.max(...held.values())).toBe(2)
    for (const { night, capacity, held: taken, sold } of await nights.read(roomTypeId, all)) {
      expect(taken + sold, night).toBeLessThanOrEqual(capacity)
    }
  })
})

describe('time', () => {
  it('HOLD-11 the clock of an instance neither shortens nor extends a hold', SLOW, async () => {
    const [guest] = guests.slice(-1)
    if (guest === undefined) throw new TypeError('too few guests')
    const desk = createDesk(booking, hotel)
    for (const minutes of [-15, 15]) {
      const clock = createTestClock(new Date(Date.now() + minutes * 60_000))
      await using other = await booking.startAnother({ clock })
      const browser = guest.at({ url: other.url })
      const draft = await draftOf(browser, hotel)
      const { holdExpiresAt } = await desk.reservationOf(draft.draftId)
      expect(draft.hold.expiresAt).toBe(holdExpiresAt)
      const extended = await browser.post(`/draft/${draft.draftId}/extend`, {})
      expect(extended.status).toBe(200)
      await desk.expireHold(draft.draftId)
      const late = await browser.post(`/draft/${draft.draftId}/extend`, {})
      expect(late.status).toBe(410)
    }
  })

  it.each([SLUG, OTHER_SLUG])(
    'HOLD-14 %s sells the nights of its own calendar, also at 23:30 UTC',
    SLOW,
    async (slug) => {
      const place = await hotelOf(booking, slug)
      const utcDate = new Date().toISOString().slice(0, 10) as IsoDate
      const clock = createTestClock(new Date(`${utcDate}T23:30:00.000Z`))
      // East of UTC the next day has begun.
      const today = todayIn(place.timeZone, clock.now())
      expect(today).toBe(addDays(utcDate, 1))
      await using other = await booking.startAnother({ clock })
      const site = slug === SLUG ? booking.site : booking.otherSite
      const guest = (await site.guest()).at({ url: other.url })
      const roomTypeId = roomTypeOf(place)
      const stayFrom = (checkIn: IsoDate) => ({ checkIn, checkOut: addDays(checkIn, 2) })
      const quoteFrom = (checkIn: IsoDate) =>
        guest.post('/quote', {
          propertyId: place.propertyId,
          stay: stayFrom(checkIn),
          occupancy: OCCUPANCY,
          rooms: [{ roomTypeId, quantity: 1 }],
        })
      expect((await quoteFrom(utcDate)).status).toBeGreaterThanOrEqual(400)
      const stay = stayFrom(today)
      const around = { checkIn: addDays(today, -1), checkOut: addDays(today, 3) }
      const nights = createNights(booking, place)
      await nights.leave(roomTypeId, stay, 1)
      const before = await nights.read(roomTypeId, around)
      const quote = expectView<QuoteVM>(await quoteFrom(today), 201)
      const draft = expectView<DraftVM>(await hold(guest, quote), 201)
      expect(draft.terms.stay).toEqual(stay)
      const after = await nights.read(roomTypeId, around)
      const added = after.map(({ night, held }, index) => [
        night,
        held - (before[index]?.held ?? 0),
      ])
      expect(added).toEqual([
        [around.checkIn, 0],
        [today, 1],
        [addDays(today, 1), 1],
        [addDays(today, 2), 0],
      ])
    },
  )
})
