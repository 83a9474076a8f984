import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { signWebhook, WEBHOOK_SIGNATURE_HEADER, webhookKeys } from '@melmastoon/security'
import type { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { WEBHOOK_SECRET } from '../harness/booking-environment.ts'

const PATH = '/bff/tenant-booking/v1/webhooks/payments'
const keys = webhookKeys(WEBHOOK_SECRET)

/** A webhook as the payment service sent it. */
export interface SentWebhook extends PaymentWebhook {
  readonly raw: string
}

/**
 * Receives the webhooks of the sandbox. They are lost unless a test forwards them to the service;
 * each is kept, so that a test can deliver it late, again, or changed.
 */
export async function startWebhookRelay() {
  const sent: SentWebhook[] = []
  let target: string | null = null
  const receive = async (request: IncomingMessage): Promise<number> => {
    const raw = (await buffer(request)).toString()
    sent.push({ ...(JSON.parse(raw) as PaymentWebhook), raw })
    if (target === null) return 204
    const header = request.headers[WEBHOOK_SIGNATURE_HEADER]
    return (await postWebhook(target, raw, String(header))).status
  }
  const server = createServer((request, response) => {
    void receive(request)
      .catch(() => 502)
      .then((status) => response.writeHead(status).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    sent,
    /** From now on; null: they are lost. */
    forwardTo(url: string | null) {
      target = url
    },
    /** The webhooks of a payment so far, in the order they arrived. */
    of: (paymentIntentId: string | null) =>
      sent.filter(({ data }) => data.intent.paymentIntentId === paymentIntentId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type WebhookRelay = Awaited<ReturnType<typeof startWebhookRelay>>

export function sign(raw: string, at = new Date()): string {
  return signWebhook(keys, raw, at)
}

export function postWebhook(url: string, raw: string, signature = sign(raw)): Promise<Response> {
  return fetch(new URL(PATH, url), {
    method: 'POST',
    body: raw,
    headers: { 'content-type': 'application/json', [WEBHOOK_SIGNATURE_HEADER]: signature },
  })
}
