import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { PAYMENT_METHODS } from '../offers.ts'
import { id, instant, MicroMoney, text } from '../schemas.ts'
import { INTENT_STATUSES } from './moves.ts'

export { PAYMENT_METHODS, type PaymentMethod } from '../offers.ts'
export {
  INTENT_STATUSES,
  type IntentMove,
  type IntentRule,
  type IntentStatus,
  PAYMENT_MOVES,
} from './moves.ts'

export const CAPTURE_MODES = ['automatic', 'manual'] as const
export type CaptureMode = (typeof CAPTURE_MODES)[number]

/** How the payer returned; only a hint, the intent is authoritative. */
export const REDIRECT_STATUSES = ['succeeded', 'failed', 'processing', 'abandoned'] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

const code = () => Type.String({ pattern: '^[a-z0-9_.-]{1,64}$' })

const LABEL = '[A-Za-z0-9-]{1,63}'
const HOST = `https://[A-Za-z0-9.-]{1,253}|http://(127\\.0\\.0\\.1|(${LABEL}\\.){0,8}localhost)`

/** The company that processes the payment: `adyen-test`, `cash`. */
const provider = () => Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' })

/**
 * The payer is finally redirected there: https, or http on this machine (also `*.localhost`),
 * without credentials.
 */
const returnUrl = () =>
  Type.String({ maxLength: 500, pattern: `^(${HOST})(:\\d{1,5})?([/?][^\\s\\\\#]*)?$` })

const phoneRef = () => Type.String({ pattern: '^phone_[a-z0-9_]{1,80}$' })

const NextAction = Type.Union([
  /** Redirect the payer to this URL. */
  Type.Object({ kind: Type.Literal('redirect'), url: text(1_000) }),
  /** Wait for the webhook, or poll. */
  Type.Object({ kind: Type.Literal('wait') }),
  Type.Null(),
])

export const Intent = Type.Object({
  paymentIntentId: id('pyi'),
  reservationId: Type.Optional(id('rsv')),
  draftRef: text(64),
  method: Type.Enum([...PAYMENT_METHODS]),
  provider: provider(),
  captureMode: Type.Enum([...CAPTURE_MODES]),
  status: Type.Enum([...INTENT_STATUSES]),
  nextAction: NextAction,
  /** Why it failed or was cancelled: `insufficient_funds`, `expired`. */
  declineCode: Type.Optional(code()),
  amount: MicroMoney,
  capturedAmount: MicroMoney,
  refundedAmount: MicroMoney,
  /** Incremented with every change: of two snapshots the higher version is the newer one. */
  version: Type.Integer({ minimum: 1 }),
  createdAt: instant(),
  /** When the wait for the payer or the capture ends; null when it waits for neither. */
  expiresAt: Type.Union([instant(), Type.Null()]),
})
export type Intent = Static<typeof Intent>

export const Refund = Type.Object({
  refundId: id('rfd'),
  paymentIntentId: id('pyi'),
  amount: MicroMoney,
  reasonCode: code(),
  createdAt: instant(),
})
export type Refund = Static<typeof Refund>

/** The body of a webhook. An id may be delivered more than once, late, and out of order. */
export const PaymentWebhook = Type.Object({
  id: id('whk'),
  /** `payment_intent.` and the status. */
  type: Type.String({ pattern: '^payment_intent\\.[a-z_]{1,40}$' }),
  tenantId: id('tnt'),
  data: Type.Object({ intent: Intent }),
  occurredAt: instant(),
})
export type PaymentWebhook = Static<typeof PaymentWebhook>

const IntentParams = Type.Object({ paymentIntentId: id('pyi') })

const onIntent = { params: IntentParams, tenantScoped: true } as const
const change = { ...onIntent, method: 'POST', idempotent: true } as const

export const paymentContract = defineContract({
  upstream: 'payment',
  basePath: '/api/v1',
  operations: {
    createIntent: {
      method: 'POST',
      path: '/payments/intents',
      summary:
        'Create a payment intent: charged immediately with a token, otherwise on the page of the provider',
      status: 201,
      body: Type.Object({
        reservationId: Type.Optional(id('rsv')),
        /** The caller's reference of the payment. Not personal data. */
        draftRef: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
        method: Type.Enum([...PAYMENT_METHODS]),
        amount: MicroMoney,
        captureMode: Type.Enum([...CAPTURE_MODES]),
        /** Needed for cards. */
        returnUrl: Type.Optional(returnUrl()),
        /** A card token of the provider. Never a card number. */
        cardToken: Type.Optional(Type.String({ pattern: '^tok_[a-z0-9_]{1,80}$' })),
        /** A phone reference of the provider; required for mobile money. Never a phone number. */
        phoneRef: Type.Optional(phoneRef()),
      }),
      response: Intent,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.TENANT.SUSPENDED',
        'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED',
        'MELMASTOON.PAYMENT.AMOUNT_INVALID',
        'MELMASTOON.PAYMENT.GATEWAY_UNAVAILABLE',
      ],
      // Otherwise a delayed copy would create a payment of which its caller does not know.
      finalErrorCodes: ['MELMASTOON.TENANT.SUSPENDED'],
    },
    tokenizePhone: {
      method: 'POST',
      path: '/payments/phone-refs',
      summary: 'Exchange a phone number for a reference to pay by mobile money with',
      status: 201,
      /** E.164. Only the provider stores it; callers keep the reference. */
      body: Type.Object({ phone: Type.String({ pattern: '^\\+[1-9]\\d{5,14}$' }) }),
      response: Type.Object({ phoneRef: phoneRef() }),
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.TENANT.NOT_FOUND',
        'MELMASTOON.TENANT.SUSPENDED',
        'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED',
      ],
    },
    getIntent: {
      ...onIntent,
      method: 'GET',
      path: '/payments/intents/:paymentIntentId',
      summary: 'Get a payment intent',
      response: Intent,
      errorCodes: ['MELMASTOON.PAYMENT.INTENT_NOT_FOUND'],
    },
    getByKey: {
      method: 'GET',
      path: '/payments/intents/by-key/:key',
      summary: 'Get a payment intent by the idempotency key of its creation',
      params: Type.Object({ key: Type.String({ minLength: 16, maxLength: 255 }) }),
      response: Intent,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PAYMENT.INTENT_NOT_FOUND'],
    },
    captureIntent: {
      ...change,
      path: '/payments/intents/:paymentIntentId/capture',
      summary: 'Capture the authorized amount or a part of it; the rest is released',
      body: Type.Object({ amount: Type.Optional(MicroMoney) }),
      response: Intent,
      errorCodes: [
        'MELMASTOON.PAYMENT.INTENT_NOT_FOUND',
        'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
        'MELMASTOON.PAYMENT.AMOUNT_INVALID',
        'MELMASTOON.PAYMENT.DECLINED',
      ],
    },
    cancelIntent: {
      ...change,
      path: '/payments/intents/:paymentIntentId/cancel',
      summary: 'Cancel a payment intent that has not been captured',
      body: Type.Object({ reasonCode: code() }),
      response: Intent,
      errorCodes: ['MELMASTOON.PAYMENT.INTENT_NOT_FOUND', 'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION'],
    },
    confirmCash: {
      ...change,
      path: '/payments/intents/:paymentIntentId/cash-received',
      summary: 'Record a payment at the front desk',
      body: Type.Object({}),
      response: Intent,
      errorCodes: ['MELMASTOON.PAYMENT.INTENT_NOT_FOUND', 'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION'],
    },
    createRefund: {
      ...change,
      path: '/payments/intents/:paymentIntentId/refunds',
      summary: 'Refund the captured amount or a part of it',
      status: 201,
      body: Type.Object({ amount: MicroMoney, reasonCode: code() }),
      response: Type.Object({ refund: Refund, intent: Intent }),
      errorCodes: [
        'MELMASTOON.PAYMENT.INTENT_NOT_FOUND',
        'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
        'MELMASTOON.PAYMENT.AMOUNT_INVALID',
        'MELMASTOON.PAYMENT.REFUND_TOO_LARGE',
      ],
    },
    listRefunds: {
      ...onIntent,
      method: 'GET',
      path: '/payments/intents/:paymentIntentId/refunds',
      summary: 'List the refunds, oldest first',
      response: Type.Object({ refunds: Type.Array(Refund, { maxItems: 100 }) }),
      errorCodes: ['MELMASTOON.PAYMENT.INTENT_NOT_FOUND'],
    },
    listMethods: {
      method: 'GET',
      path: '/payments/methods',
      summary: 'List the payment methods of the hotel, in its order',
      response: Type.Object({
        methods: Type.Array(
          Type.Object({
            method: Type.Enum([...PAYMENT_METHODS]),
            provider: provider(),
            /** Whether the payer is redirected to a page of the provider. */
            redirects: Type.Boolean(),
            captureModes: Type.Array(Type.Enum([...CAPTURE_MODES]), { maxItems: 2 }),
          }),
          { maxItems: 3 },
        ),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.TENANT.NOT_FOUND'],
    },
  },
})
