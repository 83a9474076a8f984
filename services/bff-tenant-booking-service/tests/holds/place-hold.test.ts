import { newId, type StayDates, uuidToId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import {
  createDesk,
  draftOf,
  expectView,
  freshStay,
  hold,
  insertPayment,
  quoteOf,
  type RoomTypeId,
  roomTypeOf,
  withDetails,
} from '../harness/booking-flow.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import type { Guest } from '../harness/site.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf, whileBroken } from '../harness/stays.ts'

let booking: Booking
let hotel: PropertyDetail
let desk: ReturnType<typeof createDesk>
let staff: ReturnType<typeof createStaff>
let guest: Guest

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
  desk = createDesk(booking, hotel)
  staff = createStaff(booking, hotel)
})
afterAll(() => booking[Symbol.asyncDispose]())

/** A guest without holds: their number per session is limited. */
async function newGuest(): Promise<Guest> {
  guest = await booking.site.guest()
  return guest
}

const MORE_ROOMS = 100

/** To other guests. */
async function sellAll(roomTypeId: RoomTypeId, { checkIn, checkOut }: StayDates): Promise<void> {
  const soldOut = 'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY'
  for (let sold = 0; sold < MORE_ROOMS; sold += 1) {
    const error = await staff.sell(roomTypeId, { checkIn, checkOut }).catch((caught) => caught)
    if (error instanceof Error && 'code' in error && error.code === soldOut) return
    if (error !== undefined) throw error
  }
}

const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code

describe('POST /hold', () => {
  it('T6 holds the rooms of a quote and creates the draft with its events', async () => {
    await newGuest()
    const quote = await quoteOf(guest, hotel)
    const response = await hold(guest, quote)
    const draft = expectView<DraftVM>(response, 201)
    expect(draft).toMatchObject({
      version: 1,
      state: 'holding',
      messageKey: 'booking.hold.active',
      terms: {
        quoteId: quote.quoteId,
        digest: quote.digest,
        total: quote.total,
        cancellation: quote.cancellation,
      },
      changedTerms: null,
      guest: null,
      payment: null,
      outcome: null,
      hold: { isActive: true, extensionsLeft: 10, warnBeforeSeconds: 60 },
      actions: ['extend-hold', 'hold-again', 'save-details', 'cancel'],
    })
    expect(draft.hold.secondsLeft).toBeGreaterThan(590)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const reservation = await desk.reservationOf(draft.draftId)
    expect(reservation).toMatchObject({
      status: 'held',
      draftId: draft.draftId,
      digest: quote.digest,
    })
    const events = await eventsOf(booking, draft.draftId)
    expect(eventNames(events)[0]).toBe('booking.draft.created.v1')
    expect(events[0]?.payload).toMatchObject({
      draftId: draft.draftId,
      sessionId: guest.sessionId,
      reservationId: reservation.reservationId,
      stayWindow: { checkIn: quote.stay.checkIn, checkOut: quote.stay.checkOut, nights: 2 },
    })
  })

  it('HOLD-13 rejects terms that the guest has not seen, with both prices', async () => {
    await newGuest()
    const stay = freshStay(hotel)
    const seen = await quoteOf(guest, hotel, { stay })
    await staff.changePrices(1_000)
    const quote = await quoteOf(guest, hotel, { stay })
    await staff.changePrices(-909)
    const body = { quoteId: quote.quoteId, digest: seen.digest, shownTotal: seen.total }
    const response = await guest.post('/hold', body)
    expect(response.status).toBe(409)
    expect(response.body).toMatchObject({
      code: 'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
      previous: { digest: seen.digest, total: seen.total },
      current: { digest: quote.digest, total: quote.total },
      difference: {
        amountMinor: quote.total.amountMinor - seen.total.amountMinor,
        currency: quote.total.currency,
      },
    })
    expect(quote.total.amountMinor).toBeGreaterThan(seen.total.amountMinor)
    // The price of a quote is guaranteed: it can be held although the prices have changed.
    const draft = expectView<DraftVM>(await hold(guest, seen), 201)
    expect(draft.terms.total).toEqual(seen.total)
  })

  it('rejects a stay that is sold out, and repeats the rejection for the same key', async () => {
    await newGuest()
    const quote = await quoteOf(guest, hotel)
    await sellAll(roomTypeOf(hotel), quote.stay)
    const key = newId('req')
    const response = await hold(guest, quote, { key })
    expect([response.status, codeOf(response)]).toEqual([409, 'MELMASTOON.BFF.TENANT.SOLD_OUT'])
    await staff.setCapacity(roomTypeOf(hotel), quote.stay, MORE_ROOMS)
    expect(codeOf(await hold(guest, quote, { key }))).toBe('MELMASTOON.BFF.TENANT.SOLD_OUT')
    expect((await hold(guest, quote)).status).toBe(201)
    const events = await eventsOf(booking, guest.sessionId)
    expect(events.find(({ subject }) => subject.includes('error_encountered'))?.payload).toEqual(
      expect.objectContaining({ atState: 'quoting', errorCode: 'MELMASTOON.BFF.TENANT.SOLD_OUT' }),
    )
  })

  it('knows no quote of another tenant, and no invented one', async () => {
    await newGuest()
    const otherHotel = await hotelOf(booking, OTHER_SLUG)
    const stranger = await booking.otherSite.guest()
    const foreign = await quoteOf(stranger, otherHotel)
    const invented = { ...foreign, quoteId: newId('qte') }
    for (const quote of [foreign, invented]) {
      const response = await hold(guest, quote)
      expect([response.status, codeOf(response)]).toEqual([
        404,
        'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
      ])
    }
  })

  it('HOLD-04 a double click holds one room', async () => {
    await newGuest()
    const quote = await quoteOf(guest, hotel)
    const key = newId('req')
    const clicks = await Promise.all([1, 2, 3].map(() => hold(guest, quote, { key })))
    const others = clicks.filter(({ status }) => status !== 201)
    expect(others.map(codeOf)).toEqual(others.map(() => 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'))
    const again = expectView<DraftVM>(await hold(guest, quote, { key }), 201)
    expect(await draftsOf(guest)).toEqual([again.draftId])
  })

  it('finds the hold again whose response was lost', async () => {
    await newGuest()
    const quote = await quoteOf(guest, hotel)
    const key = newId('req')
    const fault = { kind: 'unanswered', reset: true, operation: 'hold', times: 2 } as const
    await whileBroken(booking, ['reservation', fault as never], async () => {
      expect((await hold(guest, quote, { key })).status).toBeGreaterThanOrEqual(500)
    })
    expect(await draftsOf(guest)).toEqual([])
    const draft = expectView<DraftVM>(await hold(guest, quote, { key }), 201)
    expect((await desk.reservationOf(draft.draftId)).status).toBe('held')
    expect(await draftsOf(guest)).toEqual([draft.draftId])
    // One room is held: the limit of five holds per session leaves four.
    const others = []
    for (let index = 0; index < 5; index += 1) {
      others.push((await hold(guest, await quoteOf(guest, hotel))).status)
    }
    expect(others).toEqual([201, 201, 201, 201, 409])
  })

  it('HOLD-12 limits the holds of one session, and no other', async () => {
    await newGuest()
    for (let index = 0; index < 5; index += 1) await draftOf(guest, hotel)
    const quote = await quoteOf(guest, hotel)
    const response = await hold(guest, quote)
    expect([response.status, codeOf(response)]).toEqual([
      409,
      'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
    ])
    const other = await booking.site.guest()
    expect((await hold(other, quote)).status).toBe(201)
  })

  it('needs a session and a key', async () => {
    await newGuest()
    const quote = await quoteOf(guest, hotel)
    expect((await hold(booking.site.browser(), quote)).status).toBe(401)
    const { quoteId, digest } = quote
    expect((await guest.send('POST', '/hold', { json: { quoteId, digest } })).status).toBe(400)
  })
})

async function draftsOf({ sessionId }: Guest): Promise<string[]> {
  const { schema } = booking.environment
  const rows = await booking.environment.query<{ id: string }>(
    `select id from ${schema}.booking_draft where session_id = $1`,
    [sessionId],
  )
  return rows.map(({ id }) => uuidToId('bdr', id))
}

describe('POST /hold for an existing draft', () => {
  it('holds again after the hold has expired, and keeps the details', async () => {
    await newGuest()
    const draft = await withDetails(guest, await draftOf(guest, hotel))
    const before = await desk.idOf(draft.draftId)
    await desk.expireHold(draft.draftId)
    const { draftId } = draft
    const quote = await quoteOf(guest, hotel, { stay: stayOf(draft) })
    const again = expectView<DraftVM>(await hold(guest, quote, { draftId }), 201)
    expect(again).toMatchObject({
      draftId,
      state: 'collecting_details',
      messageKey: 'booking.hold.active',
      guest: { fullName: 'Zarghuna Anaa', isMasked: false },
      hold: { isActive: true, extensionsLeft: 10 },
    })
    expect(again.version).toBeGreaterThan(draft.version)
    expect((await desk.reservationOf(draftId)).status).toBe('held')
    expect(await desk.idOf(draftId)).not.toBe(before)
    await expect.poll(async () => (await desk.read(before)).status).toBe('cancelled')
    expectView<DraftVM>(await guest.get(`/draft/${draftId}`), 200)
  })

  it('holds another room first, then releases the old one', async () => {
    await newGuest()
    const draft = await draftOf(guest, hotel)
    const before = await desk.idOf(draft.draftId)
    const roomTypeId = roomTypeOf(hotel, 1)
    const { draftId } = draft
    const quote = await quoteOf(guest, hotel, { stay: stayOf(draft), roomTypeId })
    await sellAll(roomTypeId, quote.stay)
    const soldOut = await hold(guest, quote, { draftId })
    expect(codeOf(soldOut)).toBe('MELMASTOON.BFF.TENANT.SOLD_OUT')
    expect((await desk.read(before)).status).toBe('held')
    await staff.setCapacity(roomTypeId, quote.stay, MORE_ROOMS)
    const other = expectView<DraftVM>(await hold(guest, quote, { draftId }), 201)
    expect(other.terms.rooms).toEqual([{ roomTypeId, quantity: 1 }])
    await expect.poll(async () => (await desk.read(before)).status).toBe('cancelled')
    expect((await desk.reservationOf(draftId)).status).toBe('held')
  })

  it('HOLD-05 two tabs: one replaces the hold, the other gets a conflict and releases', async () => {
    await newGuest()
    const draft = await draftOf(guest, hotel)
    const { draftId } = draft
    await desk.expireHold(draftId)
    const quotes = [
      await quoteOf(guest, hotel, { stay: stayOf(draft) }),
      await quoteOf(guest, hotel, { stay: stayOf(draft), roomTypeId: roomTypeOf(hotel, 1) }),
    ]
    const tabs = await Promise.all(quotes.map((quote) => hold(guest, quote, { draftId })))
    expect(tabs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const loser = tabs.find(({ status }) => status === 409)
    expect(loser && codeOf(loser)).toBe('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT')
    // Four more holds fit into the limit of five once the loser has released its rooms.
    await expect.poll(async () => (await hold(guest, await quoteOf(guest, hotel))).status).toBe(201)
    for (let index = 0; index < 3; index += 1) {
      await expect
        .poll(async () => (await hold(guest, await quoteOf(guest, hotel))).status)
        .toBe(201)
    }
    expect((await desk.reservationOf(draftId)).status).toBe('held')
  })

  it.each(['creating', 'open', 'paid'])('is not possible with a payment %s', async (status) => {
    await newGuest()
    const draft = await withDetails(guest, await draftOf(guest, hotel))
    await insertPayment(booking, draft.draftId, { status })
    const quote = await quoteOf(guest, hotel, { stay: stayOf(draft) })
    const response = await hold(guest, quote, { draftId: draft.draftId })
    expect([response.status, codeOf(response)]).toEqual([
      409,
      'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS',
    ])
  })

  it('knows no draft of another session', async () => {
    await newGuest()
    const { draftId, ...draft } = await draftOf(guest, hotel)
    const other = await booking.site.guest()
    const quote = await quoteOf(other, hotel, { stay: stayOf(draft) })
    const response = await hold(other, quote, { draftId })
    expect([response.status, codeOf(response)]).toEqual([
      404,
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
    ])
  })
})

function stayOf({ terms }: Pick<DraftVM, 'terms'>): StayDates {
  return terms.stay
}
