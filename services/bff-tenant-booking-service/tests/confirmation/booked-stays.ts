import { createDeadline } from '@melmastoon/chassis/clock'
import { createDatabase, sql } from '@melmastoon/chassis/db'
import {
  addDays,
  type BookingSessionId,
  newId,
  type TenantId,
  todayIn,
  toIsoDateTime,
} from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { send } from '@melmastoon/testkit'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { pricingContract, type Quote } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import {
  guestReservationContract,
  type Reservation,
} from '@melmastoon/upstream-contracts/reservation'
import { confirmationToken } from '../../src/confirmation/confirmation-link.ts'
import { type Draft, termsOf } from '../../src/drafts/draft.ts'
import { insertDraft, saveDraft } from '../../src/drafts/draft-sql.ts'
import type { GuestDetails } from '../../src/guests/guest-details.ts'
import { sealGuest } from '../../src/guests/sealed-guest.ts'
import { upstreamClient } from '../harness/platform.ts'
import type { Booking } from '../harness/start-booking.ts'

type Method = 'card' | 'cash_on_arrival'

export interface BookedStay {
  readonly tenantId: TenantId
  readonly quote: Quote
  readonly reservation: Reservation
  readonly method: Method
}

interface BookOptions {
  readonly method?: Method
  /** Which hotel of the tenant. */
  readonly hotel?: number
}

const HOLD_GUEST = { fullName: 'Test Guest', email: 'test@example.com' }
const DEADLINE_MS = 10_000

/** Books stays with the platform's own services, and writes the drafts that belong to them. */
export function createBookedStays({ sandbox, env, platform }: Booking) {
  const pricing = upstreamClient(pricingContract, sandbox.url)
  const properties = upstreamClient(propertyContract, sandbox.url)
  const reservations = upstreamClient(guestReservationContract, sandbox.url)
  const payments = upstreamClient(paymentContract, sandbox.url)
  const keys = {
    confirmationKeys: KeyRing.parse(env['CONFIRMATION_KEYS'] ?? ''),
    guestDataKeys: KeyRing.parse(env['GUEST_DATA_KEYS'] ?? ''),
  }
  const callAs = (tenantId: TenantId) => ({
    tenantId,
    deadline: createDeadline(DEADLINE_MS),
    idempotencyKey: newId('req'),
  })

  let nextDay = 20

  async function quoteFor(tenantId: TenantId, hotel: number): Promise<Quote> {
    const list = await properties.listByTenant({ query: { limit: 2 } }, callAs(tenantId))
    const propertyId = list.properties[hotel]?.propertyId ?? newId('ppt')
    const { roomTypes } = await properties.getProperty({ params: { propertyId } }, callAs(tenantId))
    // Each stay has nights of its own, so that rooms are never sold out.
    nextDay += 2
    const checkIn = addDays(todayIn('UTC', new Date()), nextDay)
    const body = {
      propertyId,
      rooms: [{ roomTypeId: roomTypes[0]?.roomTypeId ?? newId('rmt'), quantity: 1 }],
      stay: { checkIn, checkOut: addDays(checkIn, 2) },
      occupancy: { adults: 1, children: 0, rooms: 1 },
    }
    return await pricing.createQuote({ body }, callAs(tenantId))
  }

  /** Without a draft of this service. */
  async function book(
    slug: string,
    { method = 'cash_on_arrival', hotel = 0 }: BookOptions = {},
  ): Promise<BookedStay> {
    const { tenantId } = await platform.tenant(slug)
    const { quote, held } = await hold(tenantId, hotel)
    const intent = await payments.createIntent(
      {
        body: {
          reservationId: held.reservationId,
          draftRef: newId('bdr'),
          method,
          amount: quote.total,
          captureMode: 'automatic',
          ...(method === 'card' && {
            cardToken: 'tok_ok',
            returnUrl: 'http://localhost/return',
          }),
        },
      },
      callAs(tenantId),
    )
    const { paymentIntentId } = intent
    const payment = { method, paymentIntentId }
    const body = { guest: HOLD_GUEST, payment, expectedDigest: quote.digest }
    const params = { reservationId: held.reservationId }
    const reservation = await reservations.confirm({ params, body }, callAs(tenantId))
    return { tenantId, quote, reservation, method }
  }

  async function hold(tenantId: TenantId, hotel = 0) {
    const quote = await quoteFor(tenantId, hotel)
    const body = { quoteId: quote.quoteId, draftId: newId('bdr'), guestLocale: 'en' as const }
    return { quote, held: await reservations.hold({ body }, callAs(tenantId)) }
  }

  /** The confirmed draft of a booked stay, as the fulfilment leaves it. */
  async function writeDraft(
    { tenantId, quote, reservation, method }: BookedStay,
    { sessionId, guest }: { readonly sessionId: string; readonly guest: GuestDetails },
  ): Promise<void> {
    const id = newId('bdr')
    const at = toIsoDateTime(new Date())
    const draft: Draft = {
      id,
      tenantId,
      sessionId: sessionId as BookingSessionId,
      version: 1,
      state: 'confirming',
      reservationId: reservation.reservationId,
      reservationCode: reservation.code,
      terms: termsOf(quote),
      changedTerms: null,
      holdExpiresAt: at,
      holdNo: 1,
      guestExtensions: 0,
      serviceExtensions: 0,
      guest: null,
      guestEmailHash: null,
      guestPhoneHash: null,
      origin: {
        locale: 'en',
        currency: quote.total.currency,
        deviceClass: 'browser-desktop',
        consentTelemetry: true,
        attribution: null,
        handoffArrivalId: null,
      },
      history: [],
      errors: [],
      outcome: null,
      createdAt: at,
      lastActivityAt: at,
      expiresAt: at,
    }
    const confirmed: Draft = {
      ...draft,
      version: 2,
      state: 'confirmed',
      guest: sealGuest(keys, { tenantId, draftId: id }, guest),
      history: [{ event: 'stay.confirmed', from: 'confirming', to: 'confirmed', at }],
      outcome: {
        reason: 'confirmed',
        refunded: null,
        paymentMethod: method,
        paymentProvider: null,
      },
    }
    const url = env['DATABASE_APP_URL'] ?? ''
    await using db = createDatabase({ url, poolMax: 1, onError: () => undefined })
    await db.withTenant(tenantId, async (tx) => {
      await tx.query(sql`${insertDraft(draft, sql`true`)}`)
      await tx.query(sql`${saveDraft(draft, confirmed)}`)
    })
  }

  return {
    book,
    hold,
    writeDraft,
    cancel: ({ tenantId, reservation: { reservationId } }: BookedStay) =>
      reservations.cancel(
        { params: { reservationId }, body: { reasonCode: 'guest_request' } },
        callAs(tenantId),
      ),
    tokenOf: ({ tenantId, reservation: { reservationId, stay } }: BookedStay) =>
      confirmationToken(keys, { tenantId, reservationId, checkOut: stay.checkOut }),
    /** Breaks an upstream while `work` runs. */
    async without<T>(upstream: string, work: () => Promise<T>): Promise<T> {
      const admin = (verb: string, json: unknown) =>
        send(sandbox.url, 'POST', `/admin/api/upstreams/${upstream}/${verb}`, { json })
      await admin('break', { kind: 'down' })
      try {
        return await work()
      } finally {
        await admin('mend', {})
      }
    },
  }
}
