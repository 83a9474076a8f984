import type { Deadline } from '@melmastoon/chassis/clock'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { addDays, type DraftId, newId, todayIn } from '@melmastoon/domain'
import { createTestClock } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createSimulatedUpstream } from './simulated-upstream.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const deadline: Deadline = {
  signal: new AbortController().signal,
  remainingMs: () => 1_000,
  [Symbol.dispose]: () => undefined,
}
const guest = { fullName: 'Zarmina Yusufzai', email: 'zarmina@example.org' }

/** One room, one price. */
async function openHotel() {
  const clock = createTestClock()
  const upstream = createSimulatedUpstream(clock)
  const { tenants, rooms, pricing, clients } = upstream
  const [tenantId, propertyId, roomTypeId] = [newId('tnt'), newId('ppt'), newId('rmt')] as const
  const timeZone = 'Asia/Kabul'
  const paymentMethods = ['card', 'mobile_money'] as const
  tenants.add({ tenantId, country: 'AF', paymentMethods, isSuspended: false })
  rooms.addType({ tenantId, propertyId, roomTypeId, timeZone, capacity: 1 })
  pricing.addHotel({ tenantId, propertyId, currency: 'USD', nightMicro: 50_000_000n })
  const call = (key: string) => ({ tenantId, deadline, idempotencyKey: `${key} of sixteen chars` })
  const checkIn = addDays(todayIn(timeZone, clock.now()), 7)
  const stay = { checkIn, checkOut: addDays(checkIn, 2) }
  const occupancy = { adults: 2, children: 0, rooms: 1 }
  const rates = [{ roomTypeId, quantity: 1 }]
  const quote = (key: string) =>
    clients.pricing.createQuote({ body: { propertyId, stay, occupancy, rooms: rates } }, call(key))
  const drafts = new Map<string, DraftId>()
  const draftOf = (key: string) => {
    const draftId = drafts.get(key) ?? newId('bdr')
    drafts.set(key, draftId)
    return draftId
  }
  const hold = async (key: string) =>
    clients.reservation.hold(
      {
        body: {
          quoteId: (await quote(`quote ${key}`)).quoteId,
          draftId: draftOf(key),
          guestLocale: 'en',
        },
      },
      call(key),
    )
  const confirm = (
    { reservationId, digest }: { reservationId: never; digest?: string },
    key: string,
  ) =>
    clients.reservation.confirm(
      {
        params: { reservationId },
        body: { guest, payment: { method: 'card' }, expectedDigest: digest ?? '' },
      },
      call(key),
    )
  const pay = (key: string, more: object = {}) =>
    clients.payment.createIntent(
      {
        body: {
          draftRef: 'draft',
          method: 'card',
          captureMode: 'automatic',
          amount: { amountMicro: '100000000', currency: 'USD' },
          returnUrl: 'https://hotel.example/back',
          ...more,
        },
      },
      call(key),
    )
  return { ...upstream, clock, tenantId, propertyId, call, quote, hold, confirm, pay }
}

const codeOf = async (response: Promise<unknown>) => {
  const error = await response.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof UpstreamRejection ? error.code : error
}

describe('time in the simulated upstream', () => {
  it('repeats a definite rejection for 24 hours, a new key tries again (U1)', async () => {
    const hotel = await openHotel()
    const { reservationId } = await hotel.hold('a')
    const params = { reservationId }
    const blocked = 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED'
    expect(await codeOf(hotel.hold('b'))).toBe(blocked)
    await hotel.clients.reservation.cancel(
      { params, body: { reasonCode: 'guest_left' } },
      hotel.call('cancel'),
    )
    hotel.clock.advance(23 * HOUR_MS)
    expect(await codeOf(hotel.hold('b'))).toBe(blocked)
    expect((await hotel.hold('c')).status).toBe('held')
  })

  it('rejects a repeated confirmation after 24 hours (U2)', async () => {
    const hotel = await openHotel()
    const held = await hotel.hold('a')
    const confirmed = await hotel.confirm(held as never, 'confirm')
    hotel.clock.advance(23 * HOUR_MS)
    expect(await hotel.confirm(held as never, 'confirm')).toEqual(confirmed)
    hotel.clock.advance(2 * HOUR_MS)
    expect(await codeOf(hotel.confirm(held as never, 'confirm'))).toBe(
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
    )
  })

  it('expires holds after ten minutes and takes free rooms again for a late confirmation', async () => {
    const hotel = await openHotel()
    const first = await hotel.hold('a')
    hotel.clock.advance(11 * MINUTE_MS)
    const confirmed = await hotel.confirm(first as never, 'confirm')
    expect(confirmed.history.map(({ status }) => status)).toEqual([
      'held',
      'expired_hold',
      'confirmed',
    ])
  })

  it('rejects a late confirmation when the room is gone', async () => {
    const hotel = await openHotel()
    const first = await hotel.hold('a')
    hotel.clock.advance(11 * MINUTE_MS)
    await hotel.confirm((await hotel.hold('b')) as never, 'confirm b')
    expect(await codeOf(hotel.confirm(first as never, 'confirm a'))).toBe(
      'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
    )
  })

  it('expires payments after 30 minutes and authorizations after 7 days', async () => {
    const hotel = await openHotel()
    const open = await hotel.pay('open')
    const authorized = await hotel.pay('auth', { cardToken: 'tok_ok', captureMode: 'manual' })
    const statuses = () => hotel.payments.all().map(({ status }) => status)
    hotel.clock.advance(29 * MINUTE_MS)
    hotel.runJobs()
    expect([open.status, authorized.status, statuses()]).toEqual([
      'requires_action',
      'authorized',
      ['requires_action', 'authorized'],
    ])
    hotel.clock.advance(2 * MINUTE_MS)
    hotel.runJobs()
    expect(statuses()).toEqual(['cancelled', 'authorized'])
    hotel.clock.advance(7 * 24 * HOUR_MS)
    hotel.runJobs()
    expect(statuses()).toEqual(['cancelled', 'cancelled'])
  })

  it('captures late, and keeps a payment open until its response was due', async () => {
    const hotel = await openHotel()
    const { paymentIntentId } = await hotel.pay('late')
    hotel.payments.payLate(hotel.tenantId, paymentIntentId, 45 * MINUTE_MS)
    hotel.clock.advance(44 * MINUTE_MS)
    hotel.runJobs()
    expect(hotel.payments.get(hotel.tenantId, paymentIntentId).status).toBe('processing')
    hotel.clock.advance(2 * MINUTE_MS)
    hotel.runJobs()
    expect(hotel.payments.get(hotel.tenantId, paymentIntentId).status).toBe('captured')
    expect(hotel.payments.webhooks.map(({ type }) => type)).toEqual([
      'payment_intent.processing',
      'payment_intent.captured',
    ])
  })

  it('finds a payment by its key after the key has expired, and does not create a second', async () => {
    const hotel = await openHotel()
    const created = await hotel.pay('again', { cardToken: 'tok_ok' })
    hotel.clock.advance(25 * HOUR_MS)
    const again = await hotel.pay('again', { cardToken: 'tok_ok' })
    expect(again.paymentIntentId).toBe(created.paymentIntentId)
    expect(hotel.payments.all()).toHaveLength(1)
  })

  it('shows a changed price, and a price that is gone', async () => {
    const hotel = await openHotel()
    const { quoteId, digest } = await hotel.quote('q')
    const recheck = async () =>
      await hotel.clients.pricing.recheckQuote({ params: { quoteId } }, hotel.call('r'))
    expect(await recheck()).toMatchObject({ outcome: 'matched', currentDigest: digest })
    hotel.pricing.changePrice(hotel.propertyId, 60_000_000n)
    expect(await recheck()).toMatchObject({
      outcome: 'changed',
      quoted: { amountMicro: '100000000' },
      current: { amountMicro: '120000000' },
    })
    hotel.pricing.changePrice(hotel.propertyId, null)
    expect(await recheck()).toMatchObject({ outcome: 'gone' })
  })
})
