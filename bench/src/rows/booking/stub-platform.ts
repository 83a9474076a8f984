import { newId, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Intent, paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type {
  guestReservationContract,
  Reservation,
} from '@melmastoon/upstream-contracts/reservation'

type HoldBody = InputOf<(typeof guestReservationContract)['operations']['hold']>['body']
type ConfirmBody = InputOf<(typeof guestReservationContract)['operations']['confirm']>['body']
type IntentBody = InputOf<(typeof paymentContract)['operations']['createIntent']>['body']
export type QuoteBody = Pick<Quote, 'stay' | 'occupancy' | 'rooms'>

/** Null: not found. A string: the code of a rejection. */
export type Result = object | string | null

const HOLD_MS = 600_000
const QUOTE_MS = 1_800_000
/** A stay of one adult is in the last room: the first hold takes it. */
const LAST_ROOM_ADULTS = 1

/**
 * Quotes, reservations and payments of the contracts in memory: enough for one booking, and as
 * fast for every alternative. The page of the provider is left out: a card is authorized when its
 * intent is read.
 */
export class StubPlatform {
  readonly #quotes = new Map<string, Quote>()
  readonly #reservations = new Map<string, Reservation>()
  readonly #intents = new Map<string, Intent>()
  readonly #soldOut = new Set<string>()

  /** @param priced a quote of the sandbox for the same room and occupancy. */
  createQuote(priced: Quote, { stay, occupancy }: QuoteBody): Quote {
    const now = Date.now()
    const quote: Quote = {
      ...priced,
      quoteId: newId('qte'),
      stay,
      occupancy,
      createdAt: instant(now),
      expiresAt: instant(now + QUOTE_MS),
    }
    this.#quotes.set(quote.quoteId, quote)
    return quote
  }

  quote(quoteId: string): Result {
    return this.#quotes.get(quoteId) ?? null
  }

  recheck(quoteId: string): Result {
    const quote = this.#quotes.get(quoteId)
    if (quote === undefined) return null
    const { total, digest } = quote
    const checkedAt = instant(Date.now())
    return { outcome: 'matched', quoted: total, current: total, currentDigest: digest, checkedAt }
  }

  hold(tenantId: TenantId, { quoteId, draftId, guestLocale }: HoldBody): Result {
    const quote = this.#quotes.get(quoteId)
    if (quote === undefined) return 'MELMASTOON.PRICING.QUOTE_NOT_FOUND'
    if (!this.#takeRoom(quote)) return 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED'
    const now = Date.now()
    const reservation: Reservation = {
      reservationId: newId('rsv'),
      code: 'ABCDEFGH',
      tenantId,
      propertyId: quote.propertyId,
      status: 'held',
      stay: quote.stay,
      items: quote.rooms.map(({ roomTypeId, quantity }) => ({ roomTypeId, rooms: quantity })),
      total: quote.total,
      guestLocale,
      quoteId,
      draftId,
      allocationId: newId('inv'),
      digest: quote.digest,
      holdExpiresAt: instant(now + HOLD_MS),
      holdExtensions: 0,
      createdAt: instant(now),
      version: 1,
      history: [{ version: 1, status: 'held', at: instant(now) }],
    }
    this.#reservations.set(reservation.reservationId, reservation)
    return reservation
  }

  confirm(reservationId: string, { payment }: ConfirmBody): Result {
    const held = this.#reservations.get(reservationId)
    if (held === undefined) return null
    const at = instant(Date.now())
    const confirmed: Reservation = {
      ...held,
      status: 'confirmed',
      payment,
      confirmedAt: at,
      version: 2,
      history: [...held.history, { version: 2, status: 'confirmed', at }],
    }
    this.#reservations.set(reservationId, confirmed)
    return confirmed
  }

  createIntent({ reservationId, draftRef, method, amount, captureMode }: IntentBody): Result {
    const isCard = method === 'card'
    const now = Date.now()
    const nothing = { ...amount, amountMicro: '0' }
    const intent: Intent = {
      paymentIntentId: newId('pyi'),
      ...(reservationId !== undefined && { reservationId }),
      draftRef,
      method,
      provider: 'stub',
      captureMode,
      status: isCard ? 'requires_action' : 'pending_cash',
      nextAction: isCard ? { kind: 'redirect', url: 'http://provider.localhost/pay' } : null,
      amount,
      capturedAmount: nothing,
      refundedAmount: nothing,
      version: 1,
      createdAt: instant(now),
      expiresAt: isCard ? instant(now + QUOTE_MS) : null,
    }
    this.#intents.set(intent.paymentIntentId, intent)
    return intent
  }

  /** The payer has been on the page of the provider meanwhile. */
  intent(paymentIntentId: string): Result {
    const intent = this.#intents.get(paymentIntentId)
    if (intent === undefined) return null
    if (intent.status !== 'requires_action') return intent
    return this.#changed({ ...intent, status: 'authorized', nextAction: null })
  }

  capture(paymentIntentId: string): Result {
    const intent = this.#intents.get(paymentIntentId)
    if (intent === undefined) return null
    const { amount } = intent
    return this.#changed({ ...intent, status: 'captured', capturedAmount: amount, expiresAt: null })
  }

  #changed(intent: Intent): Intent {
    const changed = { ...intent, version: intent.version + 1 }
    this.#intents.set(intent.paymentIntentId, changed)
    return changed
  }

  #takeRoom({ stay, occupancy }: Quote): boolean {
    if (occupancy.adults !== LAST_ROOM_ADULTS) return true
    const nights = `${stay.checkIn} ${stay.checkOut}`
    if (this.#soldOut.has(nights)) return false
    this.#soldOut.add(nights)
    return true
  }
}

function instant(ms: number) {
  return toIsoDateTime(new Date(ms))
}
