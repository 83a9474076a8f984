import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  amountMinor,
  currency,
  id,
  instant,
  method,
  nullable,
  payload,
  regulatedSevenYears,
  shortName,
} from './fields.ts'

/** The payment service created an intent for a draft. */
export const paymentIntentCreated = defineEvent({
  ...regulatedSevenYears,
  subject: 'melmastoon.bff.tenant.payment_intent.created.v1',
  piiAllowed: ['method', 'provider', 'redirectFlow'],
  payload: payload({
    tenantId: id('tnt'),
    draftId: id('bdr'),
    intentId: id('pyi'),
    method: method(),
    provider: nullable(shortName()),
    amountMinor: amountMinor(),
    currency: currency(),
    redirectFlow: Type.Boolean(),
    createdAt: instant(),
  }),
  orderingKey: ({ intentId }) => intentId,
})
