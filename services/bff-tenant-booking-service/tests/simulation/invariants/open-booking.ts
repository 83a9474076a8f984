import { addDays, type PaymentIntentId as IntentId, newId, todayIn } from '@melmastoon/domain'
import { createTestClock } from '@melmastoon/testkit'
import { createSimulatedUpstream } from '../simulated-upstream.ts'
import { Invariants } from './check-invariants.ts'
import type { AttemptRow, FulfilmentRow, Observation } from './observation.ts'

export const KEYS = {
  intent: 'the key of the intent',
  confirm: 'the key of the confirmation',
  cancel: 'the key of the cancellation',
  refund: 'the key of the refund',
}

/** One booking, moved by hand: the upstream is simulated, the rows are written by the test. */
export async function openBooking() {
  const clock = createTestClock()
  const upstream = createSimulatedUpstream(clock)
  const { clients, tenants, rooms, pricing, payments } = upstream
  const [tenantId, propertyId, roomTypeId] = [newId('tnt'), newId('ppt'), newId('rmt')] as const
  const draftId = newId('bdr')
  const timeZone = 'Asia/Kabul'
  tenants.add({ tenantId, country: 'AF', paymentMethods: ['card'], isSuspended: false })
  rooms.addType({ tenantId, propertyId, roomTypeId, timeZone, capacity: 2 })
  pricing.addHotel({ tenantId, propertyId, currency: 'USD', nightMicro: 50_000_000n })
  const deadline = {
    signal: new AbortController().signal,
    remainingMs: () => 1_000,
    [Symbol.dispose]: () => undefined,
  }
  const call = (idempotencyKey: string) => ({ tenantId, deadline, idempotencyKey })
  const checkIn = addDays(todayIn(timeZone, clock.now()), 7)
  const body = {
    propertyId,
    rooms: [{ roomTypeId, quantity: 1 }],
    stay: { checkIn, checkOut: addDays(checkIn, 1) },
    occupancy: { adults: 1, children: 0, rooms: 1 },
  }
  const quote = await clients.pricing.createQuote({ body }, call('the key of the quote'))
  const hold = (key: string, holder = draftId) =>
    clients.reservation.hold(
      { body: { quoteId: quote.quoteId, draftId: holder, guestLocale: 'en' } },
      call(key),
    )
  const { reservationId } = await hold('the key of the hold')
  const record: FulfilmentRow = {
    draftId,
    state: 'open',
    decision: null,
    reservationId,
    intentId: null,
    consentedDigest: quote.digest,
    amountMicro: quote.total.amountMicro,
    currency: 'USD',
    confirmKey: null,
    captureKey: null,
    cancelKey: null,
    attempt: 1,
    nextAtMs: 0,
    outcomeCode: null,
  }
  const attempt: AttemptRow = {
    draftId,
    no: 1,
    key: KEYS.intent,
    cancelKey: KEYS.cancel,
    refundKey: KEYS.refund,
    intentId: null,
    status: 'creating',
    intentVersion: 0,
  }
  let seen: Observation = {
    nowMs: 1_000,
    audit: upstream.audit.entries,
    drafts: [{ draftId, state: 'paying' }],
    records: [record],
    attempts: [attempt],
    events: [{ subject: 'draft.created.v1', draftId }],
    responses: [],
    roomsSold: 0,
  }
  const invariants = new Invariants()
  const found = new Set<string>()
  const note = (violations: readonly { id: string }[]) => {
    for (const { id } of violations) found.add(id)
  }
  const roomsSold = () => rooms.allocations.filter(({ state }) => state === 'committed').length
  const look = (change: Partial<Observation> = {}) => {
    seen = { ...seen, ...change, roomsSold: roomsSold() }
    note(invariants.observe(seen))
  }
  const money = (key: string, captureMode: 'automatic' | 'manual' = 'automatic') =>
    clients.payment.createIntent(
      {
        body: {
          draftRef: draftId,
          method: 'card',
          captureMode,
          amount: quote.total,
          cardToken: 'tok_ok',
          returnUrl: 'https://hotel.example/back',
        },
      },
      call(key),
    )
  return {
    ...upstream,
    tenantId,
    draftId,
    quote,
    reservationId,
    record,
    attempt,
    call,
    hold,
    money,
    look,
    found: () => [...found].toSorted((a, b) => a.localeCompare(b)),
    conclude: () => note(invariants.conclude({ ...seen, roomsSold: roomsSold() })),
    read: (id: IntentId) =>
      clients.payment.getIntent({ params: { paymentIntentId: id } }, call('read')),
    confirm: (id: IntentId, key = KEYS.confirm) =>
      clients.reservation.confirm(
        {
          params: { reservationId },
          body: {
            guest: { fullName: 'Zarmina Yusufzai', email: 'zarmina@example.org' },
            payment: { method: 'card', paymentIntentId: id },
            expectedDigest: quote.digest,
          },
        },
        call(key),
      ),
    refund: (id: IntentId, amount = quote.total) =>
      clients.payment.createRefund(
        { params: { paymentIntentId: id }, body: { amount, reasonCode: 'sold_out' } },
        call(KEYS.refund),
      ),
    captureByStaff: (id: IntentId, amountMicro: string) =>
      payments.capture(
        { params: { paymentIntentId: id }, body: { amount: { ...quote.total, amountMicro } } },
        { tenantId },
        'staff',
      ),
    refundByStaff: (id: IntentId) =>
      payments.refund(
        { params: { paymentIntentId: id }, body: { amount: quote.total, reasonCode: 'staff' } },
        { tenantId },
        'staff',
      ),
  }
}

type Booking = Awaited<ReturnType<typeof openBooking>>

/** The usual way: paid, read, decided, confirmed, committed. */
export async function confirmBooking(
  booking: Booking,
  captureMode: 'automatic' | 'manual' = 'automatic',
) {
  const { record, attempt, draftId, look } = booking
  look()
  const { paymentIntentId: intentId } = await booking.money(KEYS.intent, captureMode)
  const paid: AttemptRow = { ...attempt, intentId, status: 'paid', intentVersion: 2 }
  look({ attempts: [paid], records: [{ ...record, attempt: 2 }] })
  await booking.read(intentId)
  look()
  const decided: FulfilmentRow = {
    ...record,
    state: 'confirming',
    decision: 'confirm',
    attempt: 2,
    intentId,
    confirmKey: KEYS.confirm,
  }
  look({ records: [decided] })
  await booking.confirm(intentId)
  look()
  const confirmed: FulfilmentRow = { ...decided, state: 'confirmed', nextAtMs: null }
  look({
    records: [confirmed],
    drafts: [{ draftId, state: 'confirmed' }],
    events: [
      { subject: 'draft.created.v1', draftId },
      { subject: 'draft.converted.v1', draftId },
    ],
  })
  return { intentId, paid, decided, confirmed }
}
