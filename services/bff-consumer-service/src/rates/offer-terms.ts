import { type CurrencyCode, type Locale, type LocalizedText, textFor } from '@melmastoon/domain'
import { described, id, instant, named } from '@melmastoon/upstream-contracts'
import {
  BOARDS,
  type Charge,
  type OfferTerms,
  PAYMENT_TIMINGS,
  RATE_CATEGORIES,
  UNBOOKABLE_REASONS,
  type UnbookableReason,
} from '@melmastoon/upstream-contracts/offers'
import { type Static, Type } from 'typebox'
import { exactMinor } from './exact-minor.ts'

const basisPoints = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 10_000, description })
const count = (minimum: number, description: string) => Type.Integer({ minimum, description })

/** Whether a stay can be booked now (D33). */
export const StayAvailabilityVM = named(
  'StayAvailability',
  Type.Object({
    bookable: Type.Boolean({ description: 'Without a price and a booking link unless true' }),
    reason: Type.Optional(
      Type.Enum([...UNBOOKABLE_REASONS], {
        description:
          'Why the stay cannot be booked; the first reason where several apply. ' +
          'party_not_accepted: a child is, or without an age may be, younger than the hotel ' +
          'accepts. sold_out: no room is left. not_enough_rooms: rooms are left, but fewer of ' +
          'each type than requested; all rooms of a stay are of one type',
      }),
    ),
    roomsLeft: Type.Optional(
      count(1, 'With not_enough_rooms: the most rooms of one type left in every night'),
    ),
  }),
)

export type StayAvailabilityVM = Static<typeof StayAvailabilityVM>

/** What a price is the price of (D33), in the language of the response. */
export const OFFER_TERMS = {
  roomTypeId: described(id('rmt'), 'The room type, the same for all rooms of the stay'),
  roomTypeName: Type.String({ description: 'In the language of the response' }),
  ratePlanId: described(id('rate'), 'The rate plan'),
  ratePlanCode: Type.String({ description: 'Unique within the hotel' }),
  ratePlanName: Type.String({ description: 'In the language of the response' }),
  category: Type.Enum([...RATE_CATEGORIES], { description: 'The kind of rate plan' }),
  board: Type.Enum([...BOARDS], { description: 'The meals that are included' }),
  cancellation: named(
    'CancellationTerms',
    Type.Object({
      kind: Type.Enum(['free', 'partial', 'none'], {
        description:
          'What a cancellation costs now. free: nothing, until freeUntil. partial: the penalty, a ' +
          'part of the total. none: the whole total',
      }),
      freeUntil: Type.Optional(
        described(instant(), 'The last moment without a penalty; present only if kind is free'),
      ),
      freeUntilHours: count(
        0,
        'Of the rate plan: free until so many hours before noon of the arrival day',
      ),
      penaltyBasisPoints: basisPoints('The penalty after that, as a share of the total'),
    }),
  ),
  payment: named(
    'PaymentTerms',
    Type.Object({
      timing: Type.Enum([...PAYMENT_TIMINGS], {
        description: 'When booking, at the hotel, or as the guest chooses',
      }),
      depositBasisPoints: basisPoints('The share of the total that is due when booking'),
    }),
  ),
}

const OfferTermsVM = Type.Object(OFFER_TERMS)

export type OfferTermsVM = Static<typeof OfferTermsVM>

export const ChargeVM = named(
  'Charge',
  Type.Object({
    kind: Type.Enum(['tax', 'fee']),
    code: Type.String({ description: 'Identifies the tax or fee' }),
    label: Type.String({ description: 'In the language of the response' }),
    amountMinor: Type.Integer({
      description: 'In minor units of the currency of the price; a part of the total in any case',
    }),
    included: Type.Boolean({ description: 'A part of the nightly prices, not added to them' }),
  }),
)

export type ChargeVM = Static<typeof ChargeVM>

/** The members of a price that every offer has. */
export const OFFER_PRICE = {
  charges: Type.Array(ChargeVM, { maxItems: 20, description: 'Taxes and fees of the total' }),
  roomsLeft: count(1, 'The fewest rooms of this type in any night of the stay'),
  digest: Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'Of the price and its terms; a quote of the same offer has the same digest',
  }),
}

/** A charge with its label in all languages. */
export type CapturedCharge = Omit<ChargeVM, 'label'> & { readonly label: LocalizedText }

/** Null where an amount is not exact, or in another currency than the price (D7). */
export function captureCharges(
  charges: readonly Charge[],
  currency: CurrencyCode,
): readonly CapturedCharge[] | null {
  const captured: CapturedCharge[] = []
  for (const { kind, code, label, amount, included } of charges) {
    const amountMinor =
      amount.currency === currency ? exactMinor(amount.amountMicro, currency) : null
    if (amountMinor === null) return null
    captured.push({ kind, code, label, amountMinor, included })
  }
  return captured
}

/** Every member is named: undeclared members of an upstream response are dropped. */
export function chargesIn(charges: readonly CapturedCharge[], locale: Locale): ChargeVM[] {
  return charges.map(({ kind, code, label, amountMinor, included }) => ({
    kind,
    code,
    label: textFor(label, locale),
    amountMinor,
    included,
  }))
}

export function termsIn(offer: OfferTerms, locale: Locale): OfferTermsVM {
  const { cancellation, payment } = offer
  const { kind, freeUntil, freeUntilHours, penaltyBasisPoints } = cancellation
  return {
    roomTypeId: offer.roomTypeId,
    roomTypeName: textFor(offer.roomTypeName, locale),
    ratePlanId: offer.ratePlanId,
    ratePlanCode: offer.ratePlanCode,
    ratePlanName: textFor(offer.ratePlanName, locale),
    category: offer.category,
    board: offer.board,
    cancellation: {
      kind,
      ...(freeUntil !== undefined && { freeUntil }),
      freeUntilHours,
      penaltyBasisPoints,
    },
    payment: { timing: payment.timing, depositBasisPoints: payment.depositBasisPoints },
  }
}

export function availabilityOf(
  reason: UnbookableReason | undefined,
  roomsLeft?: number,
): StayAvailabilityVM {
  if (reason === undefined) return { bookable: true }
  const isShort = reason === 'not_enough_rooms' && roomsLeft !== undefined
  return { bookable: false, reason, ...(isShort && { roomsLeft }) }
}
