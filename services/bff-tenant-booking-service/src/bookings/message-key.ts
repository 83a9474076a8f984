import type { Draft } from '../drafts/draft.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { awaitsConfirm, isActive, type PaymentAttempt } from '../payments/attempt.ts'

/** The texts for every situation of a booking; clients have them in all languages. */
export const MESSAGE_KEYS = [
  'booking.hold.active',
  'booking.hold.expiring',
  'booking.hold.lapsed',
  'booking.price.changed',
  'booking.price.gone',
  'booking.pay.continue',
  'booking.pay.cash_promised',
  'booking.pay.checking',
  'booking.pay.declined',
  'booking.pay.released',
  'booking.confirmed',
  'booking.confirmed.surplus_refunded',
  'booking.refunded.sold_out',
  'booking.refunded.price_changed',
  'booking.refunded.cancelled',
  'booking.refunded.amount',
  'booking.draft.ended',
] as const
export type MessageKey = (typeof MESSAGE_KEYS)[number]

/** Success only after the final commit, failure only after a definite failure (F6, F7). */
export function messageKeyOf(booking: Booking, now: Date, warnBeforeSeconds: number): MessageKey {
  const { draft, record, attempts } = booking
  switch (draft.state) {
    case 'confirmed':
      return attempts.some(isReturnedSurplus)
        ? 'booking.confirmed.surplus_refunded'
        : 'booking.confirmed'
    case 'failed':
      return failureKey(draft)
    case 'abandoned':
      return 'booking.draft.ended'
    case 'confirming':
      return 'booking.pay.checking'
    case 'quoting':
    case 'holding':
    case 'collecting_details':
    case 'paying': {
      const isDecided = record !== null && record.decision !== null
      const open = attempts.findLast(isActive)
      if (isDecided) return 'booking.pay.checking'
      if (open === undefined) return openKey(booking, now, warnBeforeSeconds)
      return awaitsConfirm(open) ? promiseKey(draft, now, warnBeforeSeconds) : paymentKey(open)
    }
  }
}

function isReturnedSurplus({ role, status }: PaymentAttempt): boolean {
  return role === 'surplus' && status === 'refunded'
}

const REFUND_KEYS: Readonly<Record<string, MessageKey>> = {
  sold_out: 'booking.refunded.sold_out',
  price_changed: 'booking.refunded.price_changed',
  cancelled: 'booking.refunded.cancelled',
  amount: 'booking.refunded.amount',
}

/** Nothing to refund: an authorization was voided, or the capture was declined. */
function failureKey({ outcome }: Draft): MessageKey {
  const reason = outcome?.reason ?? ''
  if (reason === 'declined') return 'booking.pay.declined'
  const refunded = outcome?.refunded == null ? undefined : REFUND_KEYS[reason]
  return refunded ?? 'booking.pay.released'
}

function paymentKey({ status, intentStatus }: PaymentAttempt): MessageKey {
  const waitsForGuest = status === 'open' && intentStatus === 'requires_action'
  return waitsForGuest ? 'booking.pay.continue' : 'booking.pay.checking'
}

/** Nothing is booked yet: the end of the hold is as urgent as without a payment. */
function promiseKey({ holdExpiresAt }: Draft, now: Date, warnBeforeSeconds: number): MessageKey {
  const leftMs = Date.parse(holdExpiresAt) - now.getTime()
  const isExpiring = leftMs > 0 && leftMs <= warnBeforeSeconds * 1_000
  return isExpiring ? 'booking.hold.expiring' : 'booking.pay.cash_promised'
}

/** Without money: the most urgent thing first. */
function openKey({ draft, attempts }: Booking, now: Date, warnBeforeSeconds: number): MessageKey {
  const leftMs = Date.parse(draft.holdExpiresAt) - now.getTime()
  if (draft.history.at(-1)?.event === 'stay.gone') return 'booking.price.gone'
  if (draft.changedTerms !== null) return 'booking.price.changed'
  if (leftMs <= 0) return 'booking.hold.lapsed'
  if (attempts.at(-1)?.intentStatus === 'failed') return 'booking.pay.declined'
  return leftMs <= warnBeforeSeconds * 1_000 ? 'booking.hold.expiring' : 'booking.hold.active'
}
