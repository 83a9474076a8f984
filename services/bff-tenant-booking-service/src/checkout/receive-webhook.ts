import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { isProblem, problem, uuidToId } from '@melmastoon/domain'
import { type KeyRing, verifyWebhook } from '@melmastoon/security'
import { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { Compile } from 'typebox/compile'
import { settleInBackground } from '../fulfilment/poll-fulfilments.ts'
import { receiveWebhook } from '../payments/webhook-sql.ts'
import type { CheckoutDeps } from './checkout-deps.ts'

export interface WebhookDeps extends CheckoutDeps {
  readonly webhookKeys: KeyRing
  readonly background: Pick<BackgroundWork, 'run'>
}

export interface ReceivedWebhook {
  /** As received: the signature covers exactly these bytes (D31). */
  readonly body: Buffer
  readonly signature: unknown
}

const webhook = Compile(PaymentWebhook)

/**
 * Verified and stored means accepted, also when it concerns nothing known here: a rejection would
 * only be repeated (E12). The tenant is taken from the verified body.
 * @throws Problem WEBHOOK_REJECTED without a valid signature, before anything is read or written.
 */
export async function acceptWebhook(
  deps: WebhookDeps,
  { body, signature }: ReceivedWebhook,
): Promise<void> {
  verify(deps, { body, signature })
  const message = parse(body)
  if (message === null) return count(deps, 'invalid')
  const [row] = await deps.db.tenantQuery(message.tenantId, receiveWebhook(message))
  if (row === undefined || row.draft_id === null) return count(deps, 'unknown')
  if (!row.is_new) return count(deps, 'duplicate')
  count(deps, 'accepted')
  const ref = { tenantId: message.tenantId, draftId: uuidToId('bdr', row.draft_id) }
  deps.background.run(`settle ${ref.draftId}`, () =>
    settleInBackground(deps, ref, { trigger: 'webhook' }),
  )
}

function count({ fulfilment }: WebhookDeps, outcome: string): void {
  fulfilment.webhooks.inc({ outcome })
}

function verify(deps: WebhookDeps, { body, signature: header }: ReceivedWebhook): void {
  try {
    verifyWebhook(deps.webhookKeys, { header, body }, deps.clock.now())
  } catch (error) {
    if (!isProblem(error)) throw error
    count(deps, 'rejected')
    throw problem('MELMASTOON.BFF.TENANT.WEBHOOK_REJECTED')
  }
}

function parse(body: Buffer): PaymentWebhook | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return webhook.Check(value) ? value : null
  } catch {
    return null
  }
}
