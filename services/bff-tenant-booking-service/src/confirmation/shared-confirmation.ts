import type { Section } from '@melmastoon/bff/sections'
import {
  type IsoDate,
  isTimeZone,
  type LocalizedText,
  type Money,
  microToMinor,
  type PropertyId,
  pickLocalizedText,
} from '@melmastoon/domain'
import type { Intent, IntentStatus } from '@melmastoon/upstream-contracts/payment'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { BookedStay } from './booked-stay.ts'

/** How far the stay is paid, from the guest's point of view. */
export const PAYMENT_STATES = [
  'paid',
  'authorized',
  'pay_at_hotel',
  'pending',
  'refunded',
  'partially_refunded',
  'unknown',
] as const

export type PaymentState = (typeof PAYMENT_STATES)[number]

/**
 * The part of a confirmation that is the same for everybody who may see it, in all languages. It is
 * cached, so it contains no personal data.
 */
export interface SharedConfirmation {
  readonly stay: BookedStay
  readonly total: Money
  readonly property: SharedProperty | null
  readonly price: SharedPrice | null
  readonly payment: SharedPayment
  readonly sections: Readonly<Record<'reservation' | 'property' | 'price' | 'payment', Section>>
}

export interface SharedProperty {
  readonly propertyId: PropertyId
  readonly name: LocalizedText
  readonly address: {
    readonly line: string
    readonly nativeLine: string
    readonly city: LocalizedText
    readonly country: string
  }
  readonly geo: PropertyDetail['geo']
  readonly photo: { readonly url: string; readonly alt: LocalizedText } | null
  readonly timeZone: string
  readonly checkInTime: string
  readonly checkOutTime: string
  readonly houseRules: readonly { readonly code: string; readonly text: LocalizedText }[]
  readonly roomNames: Readonly<Record<string, LocalizedText>>
}

export interface SharedPrice {
  readonly occupancy: Quote['occupancy']
  readonly display: Money | null
  readonly lines: readonly SharedLine[]
  readonly cancellation: Quote['cancellation']
}

export interface SharedLine {
  readonly kind: Quote['lines'][number]['kind']
  readonly label: LocalizedText
  readonly night: IsoDate | null
  readonly quantity: number
  readonly amount: Money
  readonly included: boolean
}

export interface SharedPayment {
  readonly method: string | null
  readonly status: PaymentState
  readonly paid: Money | null
  readonly refunded: Money | null
}

/** Every member is named: undeclared members of an upstream response are dropped. */
export function shareProperty(property: PropertyDetail): SharedProperty {
  const { address, photos, policies, roomTypes } = property
  const photo = photos.find(({ isHero }) => isHero) ?? photos[0]
  return {
    propertyId: property.propertyId,
    name: pickLocalizedText(property.name),
    address: {
      line: address.line,
      nativeLine: address.nativeLine,
      city: pickLocalizedText(address.city.name),
      country: address.country,
    },
    geo: { lat: property.geo.lat, lng: property.geo.lng },
    photo: photo === undefined ? null : { url: photo.url, alt: pickLocalizedText(photo.alt) },
    timeZone: isTimeZone(property.timeZone) ? property.timeZone : 'UTC',
    checkInTime: policies.checkInTime,
    checkOutTime: policies.checkOutTime,
    houseRules: policies.houseRules.map(({ code, text }) => ({
      code,
      text: pickLocalizedText(text),
    })),
    roomNames: Object.fromEntries(
      roomTypes.map(({ roomTypeId, name }) => [roomTypeId, pickLocalizedText(name)]),
    ),
  }
}

/** @throws Problem UPSTREAM_CONTRACT_BROKEN for amounts that are not whole minor units (D7). */
export function sharePrice(quote: Quote): SharedPrice {
  const { kind, freeUntilHours, penaltyBasisPoints } = quote.cancellation
  return {
    occupancy: quote.occupancy,
    display: quote.displayTotal === undefined ? null : toMoney(quote.displayTotal),
    lines: quote.lines.map((line) => ({
      kind: line.kind,
      label: pickLocalizedText(line.label),
      night: line.night ?? null,
      quantity: line.quantity,
      amount: toMoney(line.amount),
      included: line.included,
    })),
    cancellation: { kind, freeUntilHours, penaltyBasisPoints },
  }
}

const STATE_OF: Readonly<Record<IntentStatus, PaymentState>> = {
  captured: 'paid',
  authorized: 'authorized',
  pending_cash: 'pay_at_hotel',
  refunded: 'refunded',
  partially_refunded: 'partially_refunded',
  requires_action: 'pending',
  processing: 'pending',
  failed: 'pending',
  cancelled: 'pending',
}

export function sharePayment(intent: Intent): SharedPayment {
  return {
    method: intent.method,
    status: STATE_OF[intent.status],
    paid: toMoney(intent.capturedAmount),
    refunded: toMoney(intent.refundedAmount),
  }
}

/** What is known without the payment service. */
export function paymentOfStay({ paymentMethod }: BookedStay): SharedPayment {
  const status = paymentMethod === 'cash_on_arrival' ? 'pay_at_hotel' : 'unknown'
  return { method: paymentMethod, status, paid: null, refunded: null }
}

export function toMoney({ amountMicro, currency }: Quote['total']): Money {
  return microToMinor(amountMicro, currency)
}
