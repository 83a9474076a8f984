import type { OperationExamples } from '@melmastoon/chassis/http'
import {
  CONFIRMATION_LINK,
  DIGEST,
  DRAFT_ID,
  GUEST,
  PAYMENT_INTENT_ID,
  PROPERTY_ID,
  QUOTE_ID,
  RESERVATION_ID,
  ROOM_TYPE_ID,
  TENANT_ID,
} from './example-stay.ts'

const HELD = {
  draftId: DRAFT_ID,
  version: 1,
  state: 'holding',
  messageKey: 'booking.hold.active',
  actions: ['extend-hold', 'hold-again', 'save-details', 'cancel'],
  hold: {
    expiresAt: '2026-11-16T02:50:25.013Z',
    secondsLeft: 599,
    isActive: true,
    extensionsLeft: 10,
    warnBeforeSeconds: 60,
  },
  terms: {
    quoteId: QUOTE_ID,
    digest: DIGEST,
    propertyId: PROPERTY_ID,
    ratePlanId: 'rate_1HNP6VNC6CH2DSDYPWE75PM240',
    ratePlanCode: 'NRF',
    stay: {
      checkIn: '2027-05-20',
      checkOut: '2027-05-22',
    },
    occupancy: {
      adults: 2,
      children: 0,
      rooms: 1,
    },
    rooms: [
      {
        roomTypeId: ROOM_TYPE_ID,
        quantity: 1,
      },
    ],
    cancellation: {
      kind: 'none',
      freeUntilHours: 0,
      penaltyBasisPoints: 10000,
    },
    promoCode: null,
    total: {
      amountMinor: 103319,
      currency: 'AED',
    },
    displayTotal: null,
  },
  changedTerms: null,
  guest: null,
  payment: null,
  outcome: null,
  createdAt: '2026-11-16T02:40:25.013Z',
  expiresAt: '2026-11-16T03:10:25.013Z',
}

const WITH_DETAILS = {
  ...HELD,
  version: 2,
  state: 'collecting_details',
  actions: ['extend-hold', 'hold-again', 'save-details', 'pay', 'cancel'],
  guest: {
    isMasked: false,
    fullName: 'Zarghuna Anaa',
    email: 'zarghuna@example.com',
    phone: '+93701234567',
  },
}

const HOLD_EXTENDED = { ...HELD.hold, expiresAt: '2026-11-16T02:53:25.238Z', extensionsLeft: 9 }

const EXTENSION = {
  holdExpiresAt: HOLD_EXTENDED.expiresAt,
  extensionsLeft: 9,
  warnBeforeSeconds: 60,
  priceCheck: { outcome: 'matched' },
  draft: { ...WITH_DETAILS, version: 3, hold: HOLD_EXTENDED },
}

const PAYING = {
  ...EXTENSION.draft,
  version: 4,
  state: 'paying',
  messageKey: 'booking.pay.continue',
  actions: ['extend-hold', 'save-details', 'continue-payment', 'switch-method', 'cancel'],
  payment: {
    method: 'card',
    status: 'open',
    intentStatus: 'requires_action',
    nextAction: {
      kind: 'redirect',
      url: 'https://pay.example.com/tnt_01JGFJJZ007BWH85T2P5075HP0/pyi_01M7H3MANXJQ4YF5JXZZ6SJS01?cs=wfDfCj7VAEwHiCKJML9SMNTfqpfb8zSKcYdPyeZf5K0&lang=en',
    },
    declineCode: null,
  },
}

/** The provider has not decided yet. */
const PROCESSING = {
  ...PAYING,
  messageKey: 'booking.pay.checking',
  actions: ['extend-hold', 'save-details'],
  payment: { ...PAYING.payment, intentStatus: 'processing', nextAction: null },
}

/** The rooms are no longer held: they are sold or released. */
const NO_HOLD = { isActive: false, secondsLeft: 0 }

const CONFIRMED = {
  ...PAYING,
  hold: { ...PAYING.hold, ...NO_HOLD },
  version: 6,
  state: 'confirmed',
  messageKey: 'booking.confirmed',
  actions: ['view-confirmation'],
  payment: { ...PAYING.payment, status: 'paid', intentStatus: 'captured', nextAction: null },
  outcome: {
    reason: 'confirmed',
    refunded: null,
    reservationId: RESERVATION_ID,
    reservationCode: 'ARD6ZHH6',
    confirmationPath: `/confirmation/${RESERVATION_ID}`,
    confirmationLink: CONFIRMATION_LINK,
  },
}

const DELETED = {
  ...HELD,
  hold: { ...HELD.hold, ...NO_HOLD },
  version: 2,
  state: 'abandoned',
  messageKey: 'booking.draft.ended',
  actions: [],
  outcome: {
    reason: 'deleted',
    refunded: null,
    reservationId: null,
    reservationCode: null,
    confirmationPath: null,
    confirmationLink: null,
  },
}

const amount = (amountMicro: string) => ({ amountMicro, currency: 'AED' })

const WEBHOOK = {
  id: 'whk_01M7H3MANXJQ4YF5JXZZ6SJS01',
  type: 'payment_intent.authorized',
  tenantId: TENANT_ID,
  data: {
    intent: {
      paymentIntentId: PAYMENT_INTENT_ID,
      draftRef: DRAFT_ID,
      method: 'card',
      provider: 'test-provider',
      captureMode: 'manual',
      status: 'authorized',
      nextAction: null,
      amount: amount('1033190000'),
      capturedAmount: amount('0'),
      refundedAmount: amount('0'),
      version: 2,
      createdAt: '2026-11-16T02:40:25.248Z',
      expiresAt: '2026-11-23T02:40:25.248Z',
    },
  },
  occurredAt: '2026-11-16T02:41:02.115Z',
}

const parameters = { draftId: DRAFT_ID }

/** Of a booking from the hold to its end. */
export const bookingExamples = {
  'booking.hold.place': { body: { quoteId: QUOTE_ID, digest: DIGEST }, responses: { 201: HELD } },
  'booking.draft.get': { parameters, responses: { 200: WITH_DETAILS } },
  'booking.draft.save-details': {
    parameters,
    body: { version: 1, guest: GUEST },
    responses: { 200: WITH_DETAILS },
  },
  'booking.hold.extend': { parameters, body: {}, responses: { 200: EXTENSION } },
  'booking.price.accept': {
    parameters,
    body: { digest: DIGEST },
    responses: { 200: EXTENSION.draft },
  },
  'booking.payment.request': {
    parameters,
    body: { method: 'card' },
    responses: { 201: PAYING },
  },
  'booking.payment.return': {
    parameters,
    body: { paymentIntentId: PAYMENT_INTENT_ID, redirectStatus: 'succeeded' },
    responses: { 200: CONFIRMED, 202: PROCESSING },
  },
  'booking.draft.confirm': {
    parameters,
    body: {},
    responses: { 200: CONFIRMED, 202: PROCESSING },
  },
  'booking.draft.delete': { parameters, responses: { 200: DELETED, 202: PROCESSING } },
  'booking.payment.webhook': { body: WEBHOOK, responses: { 200: { received: true } } },
} as const satisfies Readonly<Record<string, OperationExamples>>
