import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { closed, code, id, instant, Money } from './fields.ts'

const Transaction = closed({
  tenantId: id('tnt'),
  paymentIntentId: id('pyi'),
  reservationId: Type.Union([id('rsv'), Type.Null()]),
  method: code(),
  status: code(),
  amount: Money,
  reasonCode: Type.Union([code(), Type.Null()]),
  occurredAt: instant(),
})

const transactionEvent = {
  version: 1,
  producer: 'payment-gateway-service',
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
  piiAllowed: [
    'paymentIntentId',
    'reservationId',
    'method',
    'status',
    'amount',
    'amountMicro',
    'reasonCode',
    'occurredAt',
  ],
  payload: Transaction,
  orderingKey: (payload: { paymentIntentId: string }) => payload.paymentIntentId,
} as const

export const paymentAuthorized = defineEvent({
  ...transactionEvent,
  subject: 'melmastoon.payment.transaction.authorized.v1',
})
export const paymentCaptured = defineEvent({
  ...transactionEvent,
  subject: 'melmastoon.payment.transaction.captured.v1',
})
export const paymentFailed = defineEvent({
  ...transactionEvent,
  subject: 'melmastoon.payment.transaction.failed.v1',
})
export const paymentRefunded = defineEvent({
  ...transactionEvent,
  subject: 'melmastoon.payment.transaction.refunded.v1',
})
