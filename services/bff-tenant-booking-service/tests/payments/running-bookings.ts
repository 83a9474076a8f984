import type { Browser } from '@melmastoon/testkit'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { expectView, GUEST, OCCUPANCY, roomTypeOf } from '../harness/booking-flow.ts'
import { createStaff, stayAt } from '../harness/stays.ts'
import { type Checkout, persist, pressOnPage } from './checkout.ts'
import { expectMoneySettled } from './expectations.ts'

const FIRST_DAY = 200
const DAYS = 60
const ROOMS = 200

async function book(checkout: Checkout, guest: Browser, index: number): Promise<string> {
  const { hotel, sandbox } = checkout
  const json = {
    propertyId: hotel.propertyId,
    stay: stayAt(hotel, { days: FIRST_DAY + (index % DAYS), nights: 1 }),
    occupancy: OCCUPANCY,
    rooms: [{ roomTypeId: roomTypeOf(hotel), quantity: 1 }],
  }
  const quote = await persist((key) => guest.post('/quote', json, { key }))
  const { quoteId, digest } = quote.body
  const held = await persist((key) => guest.post('/hold', { quoteId, digest }, { key }))
  const { draftId, version } = expectView<DraftVM>(held, 201)
  const path = `/draft/${draftId}`
  const saved = await persist((key) => guest.patch(path, { version, guest: GUEST }, { key }))
  expectView<DraftVM>(saved, 200)
  const method = index % 2 === 0 ? 'card' : 'cash_on_arrival'
  const requested = await persist((key) =>
    guest.post(`${path}/payment-intent`, { method }, { key }),
  )
  const paying = expectView<DraftVM>(requested, 201)
  if (method === 'card') await pressOnPage(sandbox.url, paying)
  const confirmed = await persist((key) => guest.post(`${path}/confirm`, {}, { key }))
  if (confirmed.status !== 202) expectView<DraftVM>(confirmed, 200)
  return draftId
}

/** All bookings run at once, and Redis loses everything again and again. */
export async function bookWhileRedisIsEmptied(checkout: Checkout, bookings: number) {
  const { sessionRedis, cacheRedis } = checkout.service.ctx
  const { hotel } = checkout
  const nights = stayAt(hotel, { days: FIRST_DAY, nights: DAYS })
  // Rooms for all of them, whatever the demo world and other tests have sold.
  await createStaff(checkout, hotel).setCapacity(roomTypeOf(hotel), nights, ROOMS)
  const guests = await Promise.all(Array.from({ length: bookings }, () => checkout.site.guest()))
  let isOver = false
  const emptied = (async () => {
    let count = 0
    while (!isOver) {
      await Promise.all([sessionRedis.flushdb(), cacheRedis.flushdb()])
      count += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return count
  })()
  const drafts = await Promise.all(
    guests.map((guest, index) => book(checkout, guest, index)),
  ).finally(() => {
    isOver = true
  })
  const times = await emptied
  await checkout.poll(...drafts)
  const ends = { confirmed: 0, refunded: 0, times }
  for (const draftId of drafts) {
    const { stay } = await expectMoneySettled(checkout, draftId)
    ends[stay.status === 'confirmed' ? 'confirmed' : 'refunded'] += 1
  }
  return ends
}
