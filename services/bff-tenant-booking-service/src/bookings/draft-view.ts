import { microToMinor } from '@melmastoon/domain'
import { currency, id, instant, isoDate, named, Occupancy } from '@melmastoon/upstream-contracts'
import { INTENT_STATUSES, PAYMENT_METHODS } from '@melmastoon/upstream-contracts/payment'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'
import { type Draft, GUEST_EXTENSIONS_MAX, type Terms } from '../drafts/draft.ts'
import { DRAFT_STATES, isFinal } from '../drafts/draft-states.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { GuestView } from '../guests/guest-view.ts'
import { isPromised, type PaymentAttempt } from '../payments/attempt.ts'
import { CancellationVM } from '../properties/cancellation-terms.ts'
import { allowedActions, DRAFT_ACTIONS } from './allowed-actions.ts'
import { MESSAGE_KEYS, messageKeyOf } from './message-key.ts'

/** The page warns this long before the end of a hold (D11). */
const WARN_BEFORE_SECONDS = 60

const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const Amount = Type.Object({
  amountMinor: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'In minor units of the currency',
  }),
  currency: currency(),
})
export type Amount = Static<typeof Amount>

/** An offer: what is booked, at which price and on which conditions. */
export const TermsVM = named(
  'Terms',
  Type.Object({
    quoteId: id('qte'),
    digest: Type.String({ description: 'Identifies the price and its conditions' }),
    propertyId: id('ppt'),
    ratePlanId: id('rate'),
    ratePlanCode: Type.String(),
    stay: Type.Object({ checkIn: isoDate(), checkOut: isoDate() }),
    occupancy: Occupancy,
    rooms: Type.Array(Type.Object({ roomTypeId: id('rmt'), quantity: Type.Integer() })),
    total: Amount,
    displayTotal: nullable(Amount),
    cancellation: CancellationVM,
    promoCode: nullable(Type.String()),
  }),
)
export type TermsVM = Static<typeof TermsVM>

export const HoldVM = Type.Object({
  expiresAt: instant(),
  secondsLeft: Type.Integer({ minimum: 0, description: "By the server's clock" }),
  isActive: Type.Boolean({ description: 'The rooms are held until `expiresAt`' }),
  extensionsLeft: Type.Integer({ minimum: 0, description: 'By the guest' }),
  warnBeforeSeconds: Type.Integer({ description: 'The page offers an extension then' }),
})

const NextAction = Type.Union([
  Type.Object({ kind: Type.Literal('redirect'), url: Type.String() }),
  Type.Object({ kind: Type.Literal('wait') }),
])

const PaymentVM = Type.Object({
  method: Type.Enum([...PAYMENT_METHODS]),
  status: Type.Enum(['creating', 'open', 'promised', 'paid', 'closed', 'refunded'], {
    description: '`open` waits for the guest; `promised` is cash to be paid on arrival',
  }),
  intentStatus: nullable(Type.Enum([...INTENT_STATUSES])),
  nextAction: nullable(NextAction),
  declineCode: nullable(Type.String({ description: '`insufficient_funds`, `expired`, …' })),
})

const OutcomeVM = Type.Object({
  reason: Type.String({ description: '`confirmed`, `abandoned`, `deleted`, `sold_out`, …' }),
  refunded: nullable(Amount),
  reservationId: nullable(id('rsv')),
  reservationCode: nullable(Type.String({ description: 'For the front desk' })),
  confirmationPath: nullable(Type.String()),
  confirmationLink: nullable(
    Type.String({
      description: 'A signed link that opens the confirmation on any device, for the guest to keep',
    }),
  ),
})

/** A booking in progress, as the session that made it sees it. */
export const DraftVM = named(
  'Draft',
  Type.Object({
    draftId: id('bdr'),
    version: Type.Integer({ description: 'To be repeated by a change of the guest details' }),
    state: Type.Enum([...DRAFT_STATES], { description: 'For what to do, see `actions`' }),
    messageKey: Type.Enum([...MESSAGE_KEYS], { description: 'The text to show' }),
    actions: Type.Array(Type.Enum([...DRAFT_ACTIONS]), {
      description: 'What the guest can do now',
    }),
    hold: HoldVM,
    terms: TermsVM,
    changedTerms: nullable(
      Type.Object({ ...TermsVM.properties }, { description: 'An offer that requires consent' }),
    ),
    guest: nullable(GuestView),
    payment: nullable(PaymentVM),
    outcome: nullable(OutcomeVM),
    createdAt: instant(),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'Without an action of the guest the booking ends then',
    }),
  }),
)
export type DraftVM = Static<typeof DraftVM>

export interface ViewOptions {
  /** In clear text for the own session only (`ownGuestView`). */
  readonly guest: GuestView | null
  readonly now: Date
}

/** Pure, so that every route shows a booking in the same way. */
export function draftView(booking: Booking, { guest, now }: ViewOptions): DraftVM {
  const { draft, attempts } = booking
  const current = attempts.at(-1)
  return {
    draftId: draft.id,
    version: draft.version,
    state: draft.state,
    messageKey: messageKeyOf(booking, now, WARN_BEFORE_SECONDS),
    actions: allowedActions(booking, now),
    hold: holdView(draft, now),
    terms: termsView(draft.terms),
    changedTerms: draft.changedTerms === null ? null : termsView(draft.changedTerms),
    guest,
    payment: current === undefined ? null : paymentView(current),
    outcome: outcomeView(draft),
    createdAt: draft.createdAt,
    expiresAt: draft.expiresAt,
  }
}

/** Of every response that is a draft: its version, for `If-Match`. */
export function draftHeaders({ version }: Pick<DraftVM, 'version'>) {
  return { 'cache-control': 'no-store', etag: `"${version}"` }
}

function holdView(draft: Draft, now: Date): Static<typeof HoldVM> {
  // After the end of a booking its rooms are sold or released.
  const leftMs = isFinal(draft.state) ? 0 : Date.parse(draft.holdExpiresAt) - now.getTime()
  return {
    expiresAt: draft.holdExpiresAt,
    secondsLeft: Math.max(0, Math.floor(leftMs / 1_000)),
    isActive: leftMs > 0,
    extensionsLeft: Math.max(0, GUEST_EXTENSIONS_MAX - draft.guestExtensions),
    warnBeforeSeconds: WARN_BEFORE_SECONDS,
  }
}

export function termsView(terms: Terms): TermsVM {
  const { quoteExpiresAt: _unshown, total, displayTotal, ...shown } = terms
  return {
    ...shown,
    total: amountOf(total),
    displayTotal: displayTotal === null ? null : amountOf(displayTotal),
  }
}

function paymentView(attempt: PaymentAttempt): Static<typeof PaymentVM> {
  const { method, intentStatus, nextAction, declineCode } = attempt
  const status = isPromised(attempt) ? 'promised' : attempt.status
  return { method, status, intentStatus, nextAction, declineCode }
}

function outcomeView(draft: Draft): Static<typeof OutcomeVM> | null {
  const { outcome, reservationId, reservationCode } = draft
  if (outcome === null) return null
  const isConfirmed = draft.state === 'confirmed'
  return {
    reason: outcome.reason,
    refunded: outcome.refunded === null ? null : amountOf(outcome.refunded),
    reservationId: isConfirmed ? reservationId : null,
    reservationCode: isConfirmed ? reservationCode : null,
    confirmationPath: isConfirmed ? `/confirmation/${reservationId}` : null,
    confirmationLink: null,
  }
}

export function amountOf({ amountMicro, currency }: Quote['total']): Amount {
  return microToMinor(amountMicro, currency)
}
