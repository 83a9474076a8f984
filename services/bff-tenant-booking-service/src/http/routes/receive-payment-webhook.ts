import { type App, rawBodyOf } from '@melmastoon/chassis/http'
import { WEBHOOK_SIGNATURE_HEADER } from '@melmastoon/security'
import { named } from '@melmastoon/upstream-contracts'
import { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { Type } from 'typebox'
import { acceptWebhook } from '../../checkout/receive-webhook.ts'
import type { BookingContext } from '../../context.ts'

const DEADLINE_MS = 5_000
const BODY_BYTES_MAX = 64 * 1024

const WebhookReceipt = named('WebhookReceipt', Type.Object({ received: Type.Boolean() }), {
  received: true,
})

/**
 * One address for all tenants (D31). The signature identifies the sender and the signed id the
 * message, so it needs neither a session nor an idempotency key.
 */
export function receivePaymentWebhookRoute(app: App, ctx: BookingContext): void {
  const config = {
    operation: 'booking.payment.webhook',
    deadlineMs: DEADLINE_MS,
    rawBody: 'unparsed',
    documentedBody: named('PaymentWebhook', PaymentWebhook),
    documentedHeaders: {
      [WEBHOOK_SIGNATURE_HEADER]: {
        type: 'string',
        description: 'Time and HMAC-SHA256 of the body: `t=…,v1=…`.',
      },
    },
    problems: ['MELMASTOON.BFF.TENANT.WEBHOOK_REJECTED'],
  } as const
  const schema = {
    body: Type.Unknown(),
    response: { 200: WebhookReceipt },
  }
  const options = { config, schema, bodyLimit: BODY_BYTES_MAX }
  app.post('/bff/tenant-booking/v1/webhooks/payments', options, async (request) => {
    const signature = request.headers[WEBHOOK_SIGNATURE_HEADER]
    await acceptWebhook(ctx, { body: rawBodyOf(request), signature })
    return { received: true }
  })
}
