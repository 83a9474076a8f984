import { setTimeout as delay } from 'node:timers/promises'
import { createDeadline } from '@melmastoon/chassis/clock'
import { addDays, idToUuid, newId, type PaymentIntentId, type StayDates } from '@melmastoon/domain'
import { type Browser, eventually, send, type TestResponse } from '@melmastoon/testkit'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { type Intent, paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { pollOnce } from '../../src/fulfilment/poll-fulfilments.ts'
import {
  createDesk,
  draftOf,
  expectView,
  type QuoteOptions,
  type RoomTypeId,
  roomTypeOf,
  withDetails,
} from '../harness/booking-flow.ts'
import { upstreamClient } from '../harness/platform.ts'
import { type BookingOptions, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf } from '../harness/stays.ts'
import { postWebhook, startWebhookRelay } from './webhook-relay.ts'

/** Never within a test: only an explicit trigger settles. */
const NEVER_MS = 3_600_000

/** Numbers of the test provider, by what the payer does. */
export const PHONES = {
  approves: '+93700000000',
  declines: '+93700000001',
  /** Waits until a test decides: `approve`. */
  waits: '+93700000003',
} as const

export type Method = 'card' | 'mobile_money' | 'cash_on_arrival'

/** The stored side of a booking. */
export interface StoredBooking {
  readonly state: string
  readonly decision: string | null
  readonly outcome: string | null
  readonly attempts: readonly {
    readonly no: number
    readonly intent_id: PaymentIntentId | null
    readonly status: string
    readonly role: string
  }[]
}

/** The sandbox, the service without a poller, and everything that guests and staff do. */
export async function startCheckout(options: BookingOptions = {}) {
  const relay = await startWebhookRelay()
  const booking = await startWithSandbox({
    ...options,
    sandboxEnv: { PAYMENT_WEBHOOK_URL: relay.url, ...options.sandboxEnv },
    overrides: { pollerOptions: { idleMs: NEVER_MS }, ...options.overrides },
  })
  const { sandbox, environment, service, site } = booking
  const hotel = await hotelOf(booking, SLUG)
  const inventory = upstreamClient(inventoryContract, sandbox.url)
  const payments = upstreamClient(paymentContract, sandbox.url)
  const { tenantId } = hotel
  const paymentMethods: Method[] = ['card', 'mobile_money', 'cash_on_arrival']
  await booking.platform.configure(tenantId, { paymentMethods, paymentEnabled: true })
  const call = () => ({ deadline: createDeadline(10_000), tenantId })
  const change = () => ({ ...call(), idempotencyKey: newId('req') })
  const { schema } = environment

  const stored = async (draftId: string): Promise<StoredBooking> => {
    const [row] = await environment.query<StoredBooking>(
      `select d.state, f.decision, f.outcome_code as outcome, coalesce((
         select json_agg(a order by a.no) from ${schema}.booking_payment_attempt a
         where a.draft_id = d.id), '[]') as attempts
       from ${schema}.booking_draft d
       left join ${schema}.booking_fulfilment f on f.draft_id = d.id where d.id = $1`,
      [uuidOf(draftId)],
    )
    if (row === undefined) throw new Error(`no draft ${draftId}`)
    return row
  }
  /** The intent of the newest attempt, or of the one with this number. */
  const intentIdOf = async (draftId: string, no?: number): Promise<PaymentIntentId> => {
    const { attempts } = await stored(draftId)
    const attempt = no === undefined ? attempts.at(-1) : attempts.find((each) => each.no === no)
    if (attempt?.intent_id == null) throw new Error(`no intent of ${draftId}`)
    return attempt.intent_id
  }
  const intent = (paymentIntentId: PaymentIntentId): Promise<Intent> =>
    payments.getIntent({ params: { paymentIntentId } }, call())

  return {
    ...booking,
    relay,
    hotel,
    desk: createDesk(booking, hotel),
    staff: createStaff(booking, hotel),
    stored,
    intentIdOf,
    intent,
    intentOf: async (draftId: string, no?: number) => intent(await intentIdOf(draftId, no)),
    refundsOf: async (paymentIntentId: PaymentIntentId) =>
      (await payments.listRefunds({ params: { paymentIntentId } }, call())).refunds,
    /** A draft of a new guest, with details: all that a payment needs. */
    async begin(quote: QuoteOptions = {}, guest?: Browser): Promise<GuestDraft> {
      // On a busy machine an upstream may exceed its time limit: then the guest begins again.
      return await eventually(async () => {
        const payer = guest ?? (await site.guest())
        const draft = await withDetails(payer, await draftOf(payer, hotel, quote))
        return { guest: payer, draft, draftId: draft.draftId }
      })
    },
    /** The payer approves on the phone; the provider decides within a moment. */
    async approve(paymentIntentId: PaymentIntentId): Promise<Intent> {
      await sandbox.environment.query(
        `update sandbox.payment_intent set settle_at = now(), settle_as = 'approve'
         where payment_intent_id = $1`,
        [idToUuid(paymentIntentId)],
      )
      return await eventually(async () => {
        const read = await intent(paymentIntentId)
        if (read.status === 'processing') throw new Error('not decided yet')
        return read
      })
    },
    /** The provider takes the money of a payment that it had reported as cancelled. */
    async captureAnyway(paymentIntentId: PaymentIntentId): Promise<Intent> {
      await sandbox.environment.query(
        `update sandbox.payment_intent set status = 'captured', captured_micro = amount_micro,
           version = version + 1, decline_code = null, expires_at = null, settle_at = null
         where payment_intent_id = $1`,
        [idToUuid(paymentIntentId)],
      )
      return await intent(paymentIntentId)
    },
    /** Staff in the provider's dashboard. */
    refund: (paymentIntentId: PaymentIntentId, amount: Intent['amount']) =>
      payments.createRefund(
        { params: { paymentIntentId }, body: { amount, reasonCode: 'staff' } },
        change(),
      ),
    capturePart: (paymentIntentId: PaymentIntentId, amount: Intent['amount']) =>
      payments.captureIntent({ params: { paymentIntentId }, body: { amount } }, change()),
    /** A signed webhook with the present state of an intent. */
    async notify(paymentIntentId: PaymentIntentId, url = service.url): Promise<number> {
      const present = await intent(paymentIntentId)
      const message = {
        id: newId('whk'),
        type: `payment_intent.${present.status}`,
        tenantId,
        data: { intent: present },
        occurredAt: new Date().toISOString(),
      }
      return (await postWebhook(url, JSON.stringify(message))).status
    },
    /** Exactly so many rooms of the type are left in every night, besides those held or sold. */
    async leaveRooms(stay: StayDates, rooms: number, roomTypeId: RoomTypeId = roomTypeOf(hotel)) {
      const { propertyId } = hotel
      const query = { propertyId, from: stay.checkIn, to: stay.checkOut }
      const { roomTypes } = await inventory.availability({ query }, call())
      const found = roomTypes.find((each) => each.roomTypeId === roomTypeId)
      for (const { night, held, sold } of found?.nights ?? []) {
        const body = { from: night, to: addDays(night, 1), capacity: held + sold + rooms }
        await inventory.changeCapacity({ params: { roomTypeId }, body }, change())
      }
    },
    /** What the poller does once the booking is due. */
    async poll(...draftIds: readonly string[]): Promise<void> {
      await environment.query(
        `update ${schema}.booking_fulfilment set next_at = clock_timestamp()
         where draft_id = any($1) and (settled_at is null or next_at is not null)`,
        [draftIds.map(uuidOf)],
      )
      await pollOnce(service.ctx, new AbortController().signal)
    },
    /** The guest was away for longer than a draft lives. */
    expireDraft: (draftId: string) =>
      environment.query(
        `update ${schema}.booking_draft set expires_at = clock_timestamp() - interval '1 second'
         where id = $1`,
        [uuidOf(draftId)],
      ),
    async [Symbol.asyncDispose]() {
      await booking[Symbol.asyncDispose]()
      await relay[Symbol.asyncDispose]()
    },
  }
}

export type Checkout = Awaited<ReturnType<typeof startCheckout>>

export interface GuestDraft {
  readonly guest: Browser
  readonly draft: DraftVM
  readonly draftId: string
}

type Own = Pick<GuestDraft, 'guest' | 'draftId'>

export function uuidOf(draftId: string): string {
  return idToUuid(draftId as DraftVM['draftId'])
}

export function requestPayment(
  { guest, draftId }: Own,
  method: Method,
  { phone = PHONES.waits, key }: { readonly phone?: string; readonly key?: string } = {},
): Promise<TestResponse> {
  const body = method === 'mobile_money' ? { method, phone } : { method }
  return guest.post(`/draft/${draftId}/payment-intent`, body, key === undefined ? {} : { key })
}

const PATIENCE_MS = 120_000

/** A client that repeats a request, with its key, until its outcome is certain. */
export async function persist(
  request: (key: string) => Promise<TestResponse>,
): Promise<TestResponse> {
  const key = newId('req')
  const endsAtMs = performance.now() + PATIENCE_MS
  for (;;) {
    const response = await request(key)
    const { status, body, text } = response
    const isInFlight = codeOf(response) === 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'
    if (status < 500 && status !== 429 && !isInFlight) return response
    if (performance.now() >= endsAtMs) throw new Error(text)
    // As the response asks for, and not all clients at the same time.
    await delay((0.5 + Math.random()) * Number(body['retryAfter'] ?? 1) * 1_000)
  }
}

/** A payment that the provider has accepted; a card still waits for the payer. */
export async function startPayment(own: Own, method: Method, phone?: string): Promise<DraftVM> {
  const more = phone === undefined ? {} : { phone }
  const response = await persist((key) => requestPayment(own, method, { ...more, key }))
  return expectView<DraftVM>(response, 201)
}

/** On the page of the provider. @returns the address to which it sends the guest back. */
export async function pressOnPage(
  sandboxUrl: string,
  { payment }: DraftVM,
  form: Readonly<Record<string, string>> = {},
): Promise<URL> {
  if (payment?.nextAction?.kind !== 'redirect') throw new Error('there is no page to go to')
  const page = new URL(payment.nextAction.url)
  const cs = page.searchParams.get('cs') ?? ''
  const response = await send(sandboxUrl, 'POST', page.pathname, {
    form: { cs, action: 'pay', ...form },
  })
  if (response.status !== 303) throw new Error(`the page returned ${response.status}`)
  return new URL(response.headers.get('location') ?? '', sandboxUrl)
}

export function confirm({ guest, draftId }: Own, key?: string): Promise<TestResponse> {
  return guest.post(`/draft/${draftId}/confirm`, {}, key === undefined ? {} : { key })
}

/** Back from the page of the provider, with what its address claims. */
export function comeBack({ guest, draftId }: Own, address?: URL): Promise<TestResponse> {
  const redirectStatus = address?.searchParams.get('redirect_status') ?? 'succeeded'
  return guest.post(`/draft/${draftId}/return`, { redirectStatus })
}

export async function readDraft({ guest, draftId }: Own): Promise<DraftVM> {
  return expectView<DraftVM>(await guest.get(`/draft/${draftId}`), 200)
}

export const codeOf = ({ body }: Pick<TestResponse, 'body'>) => body['code']
