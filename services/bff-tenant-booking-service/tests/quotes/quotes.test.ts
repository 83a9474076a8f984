import { newId, type StayDates } from '@melmastoon/domain'
import { createTestClock, eventually } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AvailabilityVM, OfferVM } from '../../src/availability/availability-view.ts'
import { readQuote } from '../../src/quotes/quote-store.ts'
import type { QuoteVM } from '../../src/quotes/quote-view.ts'
import { createSite, type Guest } from '../harness/site.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf, stayAt, whileBroken } from '../harness/stays.ts'

let booking: Booking
let hotel: PropertyDetail
let other: PropertyDetail
let guest: Guest

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
  other = await hotelOf(booking, OTHER_SLUG)
  guest = await booking.site.guest()
})
afterAll(() => booking[Symbol.asyncDispose]())

const OCCUPANCY = { adults: 2, children: 0, rooms: 1 }

function roomTypeId(): string {
  const room = hotel.roomTypes.find(({ adultsMax }) => adultsMax >= OCCUPANCY.adults)
  if (room === undefined) throw new Error('no room for two')
  return room.roomTypeId
}

function quoteBody(stay: StayDates, more: object = {}) {
  const rooms = [{ roomTypeId: roomTypeId(), quantity: 1 }]
  return { propertyId: hotel.propertyId, stay, occupancy: OCCUPANCY, rooms, ...more }
}

async function quote(body: object, options: object = {}) {
  const response = await guest.post('/quote', body, options)
  return { ...response, view: JSON.parse(response.text) as QuoteVM }
}

async function offerFor(stay: StayDates): Promise<OfferVM> {
  const { checkIn, checkOut } = stay
  const { text } = await guest.get(
    `/availability?propertyId=${hotel.propertyId}&checkIn=${checkIn}&checkOut=${checkOut}`,
  )
  const { rooms } = JSON.parse(text) as AvailabilityVM
  const offer = rooms.find((room) => room.roomTypeId === roomTypeId())?.cheapest
  if (offer === undefined) throw new Error('no offer')
  return offer
}

const callOf = () => {
  const signal = new AbortController().signal
  return { deadline: { signal, remainingMs: () => 5_000 } as never, trace: undefined as never }
}

describe('POST /quote', () => {
  it('T5 has lines that add up, taxes, the digest and the terms of the offer', async () => {
    const stay = stayAt(hotel, { days: 20 })
    const offer = await offerFor(stay)
    const { ratePlanCode } = offer
    const { status, view } = await quote(quoteBody(stay, { ratePlanCode }))
    expect(status).toBe(201)
    const added = view.lines.filter(({ included }) => !included)
    const sum = added.reduce((total, { amount }) => total + amount.amountMinor, 0)
    expect(view.total).toEqual({ amountMinor: sum, currency: hotelCurrency(view) })
    expect(view.lines.some(({ kind }) => kind === 'tax')).toBe(true)
    expect(view).toMatchObject({
      digest: offer.digest,
      total: offer.total,
      cancellation: offer.cancellation,
      board: offer.board,
      ratePlanName: offer.ratePlanName,
      timeZone: hotel.timeZone,
      stay: { ...stay, nights: 2 },
      rooms: [{ roomTypeId: roomTypeId(), quantity: 1 }],
      currency: { converted: false, explanationKey: 'quote.currency.same' },
    })
    expect(view.rooms[0]?.name).not.toBe('')
    expect(Date.parse(view.expiresAt)).toBeGreaterThan(Date.now() + 25 * 60_000)
  })

  const hotelCurrency = ({ currency }: QuoteVM) => currency.charged

  it('T5 shows another currency with the exchange rates used, and names the one to pay', async () => {
    const headers = { 'x-currency': 'USD' }
    const { view } = await quote(quoteBody(stayAt(hotel, { days: 21 })), { headers })
    expect(view.displayTotal?.currency).toBe('USD')
    expect(view.currency).toMatchObject({
      charged: 'AED',
      shown: 'USD',
      converted: true,
      explanationKey: 'quote.currency.converted',
      fxSnapshotId: expect.stringMatching(/^fxs_/),
    })
  })

  it('compares the price with the one shown before', async () => {
    const stay = stayAt(hotel, { days: 22 })
    const { digest, total, ratePlanCode } = await offerFor(stay)
    const body = quoteBody(stay, { ratePlanCode, shown: { digest, price: total } })
    expect((await quote(body)).view.priceComparison).toMatchObject({ outcome: 'matched' })
    await createStaff(booking, hotel).changePrices(1_000)
    const { view } = await quote(body)
    expect(view.priceComparison).toMatchObject({ outcome: 'changed', shown: total })
    expect(view.priceComparison?.difference?.amountMinor).toBe(
      view.total.amountMinor - total.amountMinor,
    )
  })

  it('is created once per idempotency key', async () => {
    const key = newId('req')
    const body = quoteBody(stayAt(hotel, { days: 23 }))
    const first = await quote(body, { key })
    const second = await quote(body, { key })
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect((await quote({ ...body, occupancy: { ...OCCUPANCY, adults: 1 } }, { key })).status).toBe(
      422,
    )
  })

  it('rejects invalid stays, rooms and promotions with a pointer', async () => {
    const stay = stayAt(hotel, { days: 24 })
    const codes = async (body: object) => {
      const { status, body: problem } = await quote(body)
      const errors = (problem['errors'] ?? []) as { pointer: string }[]
      return [status, problem['code'], errors.map(({ pointer }) => pointer)]
    }
    const invalid = 'MELMASTOON.GENERAL.VALIDATION_FAILED'
    const swapped = { checkIn: stay.checkOut, checkOut: stay.checkIn }
    expect(await codes(quoteBody(swapped))).toEqual([400, invalid, ['/stay/checkOut']])
    const two = quoteBody(stay, { occupancy: { ...OCCUPANCY, rooms: 2 } })
    expect(await codes(two)).toEqual([400, invalid, ['/rooms']])
    const crowd = quoteBody(stay, { occupancy: { ...OCCUPANCY, adults: 30 } })
    expect(await codes(crowd)).toEqual([409, 'MELMASTOON.PRICING.RESTRICTED', ['/occupancy']])
    expect(await codes(quoteBody(stay, { promoCode: 'NO-SUCH-CODE' }))).toEqual([
      422,
      'MELMASTOON.PRICING.PROMOTION_REFUSED',
      ['/promoCode'],
    ])
    expect(await codes(quoteBody(stay, { ratePlanCode: 'NONE' }))).toEqual([
      409,
      'MELMASTOON.PRICING.NO_RATE',
      ['/ratePlanCode'],
    ])
  })

  it('reports an error that the guest sees, with consent only', async () => {
    const body = quoteBody(stayAt(hotel, { days: 27 }), { ratePlanCode: 'NONE' })
    const silent = await booking.site.guest()
    await silent.post('/session/consent', { telemetry: false, functional: true })
    await silent.post('/quote', body)
    await quote(body)
    const errors = () =>
      booking.environment.query<{ payload: Record<string, unknown> }>(
        `select payload from bff_tenant_booking.outbox_published
         where subject = 'melmastoon.bff.tenant.flow.error_encountered.v1'
           and payload->>'errorCode' = 'MELMASTOON.PRICING.NO_RATE'
           and occurred_at > now() - interval '10 seconds'`,
      )
    await eventually(async () => {
      const sessions = (await errors()).map(({ payload }) => payload['sessionId'])
      expect(sessions).toContain(guest.sessionId)
      expect(sessions).not.toContain(silent.sessionId)
    })
    expect((await errors()).at(-1)?.payload).toMatchObject({
      draftId: null,
      atState: 'quoting',
      upstream: 'pricing-service',
      userActionable: true,
      retryAfterSec: 0,
    })
  })

  it('does not price the hotel of another tenant', async () => {
    const stay = stayAt(other, { days: 20 })
    const { status, body } = await quote({ ...quoteBody(stay), propertyId: other.propertyId })
    expect([status, body['code']]).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
  })

  it('needs a session', async () => {
    const anyone = booking.site.browser()
    expect((await anyone.post('/quote', quoteBody(stayAt(hotel, { days: 20 })))).status).toBe(401)
  })

  it.each([
    [{ kind: 'down' }, 502, 'MELMASTOON.BFF.TENANT.QUOTE_UNAVAILABLE'],
    [{ kind: 'slow', delayMs: 5_000 }, 504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
    [{ kind: 'lying' }, 502, 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
  ] as const)('F-4 is not retried while pricing is %j', async (fault, status, code) => {
    const body = quoteBody(stayAt(hotel, { days: 25 }))
    const key = newId('req')
    const failed = await whileBroken(
      booking,
      ['pricing', { ...fault, operation: 'createQuote' }],
      () => quote(body, { key }),
    )
    expect([failed.status, failed.body['code']]).toEqual([status, code])
    // The same key creates the quote once pricing responds.
    await expect.poll(async () => (await quote(body, { key })).status, { timeout: 5_000 }).toBe(201)
  })

  it('counts days by the clocks of the hotel', async () => {
    const kabul = await hotelOf(booking, 'gulistan-hotel')
    const day = new Date().toISOString().slice(0, 10)
    const clock = createTestClock(new Date(`${day}T23:30:00.000Z`))
    await using another = await booking.startAnother({ clock })
    const late = await createSite(another.url, 'gulistan-hotel').guest()
    const [room] = kabul.roomTypes
    const checkOut = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const { status, body } = await late.post('/quote', {
      propertyId: kabul.propertyId,
      stay: { checkIn: day, checkOut },
      occupancy: { adults: 1, children: 0, rooms: 1 },
      rooms: [{ roomTypeId: room?.roomTypeId, quantity: 1 }],
    })
    expect([status, body['errors']]).toMatchObject([400, [{ pointer: '/stay/checkIn' }]])
  })
})

describe('a stored quote', () => {
  it('is read for the hold, from pricing when Redis has lost it, and never by another tenant', async () => {
    const { view } = await quote(quoteBody(stayAt(hotel, { days: 26 })))
    const { ctx } = booking.service
    const key = { tenantId: hotel.tenantId, quoteId: view.quoteId }
    const stored = await readQuote(ctx, key, callOf())
    expect(stored).toMatchObject({ quoteId: view.quoteId, digest: view.digest })
    const names = await ctx.cacheRedis.keys('*:quote:*')
    await ctx.cacheRedis.del(...names)
    expect(await readQuote(ctx, key, callOf())).toEqual(stored)
    const foreign = { ...key, tenantId: other.tenantId }
    expect(await readQuote(ctx, foreign, callOf())).toBeNull()
    const unknown = { ...key, quoteId: newId('qte') }
    expect(await readQuote(ctx, unknown, callOf())).toBeNull()
  })
})
