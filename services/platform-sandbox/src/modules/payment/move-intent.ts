import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, newId, type PaymentIntentId, problem, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { buildEvent } from './build-event.ts'
import { fromRow, type StoredIntent, toInstant, toIntent } from './intent.ts'
import type { PaymentHost } from './payment-host.ts'
import { lockIntent } from './sql/find-intent.ts'
import { updateIntent } from './sql/update-intent.ts'
import { insertWebhook } from './sql/webhooks.ts'
import { applyMove, type Change, ruleOf } from './state-table.ts'

export interface IntentKey {
  readonly tenantId: TenantId
  readonly paymentIntentId: PaymentIntentId
}

export interface Moving {
  readonly registry: PaymentHost['registry']
  readonly cause: EventContext
}

/** With `wait`: what the answer will be, and when it comes without anybody's doing. */
export interface Settlement {
  readonly settleAs: 'approve' | 'decline'
  readonly afterSeconds: number
}

export type IntentChange = Change & { readonly settlement?: Settlement }

/** Locks the payment: nobody else moves it until the transaction ends. */
export async function takeIntent(tx: Tx, key: IntentKey): Promise<StoredIntent> {
  const [row] = await tx.query(lockIntent(refOf(key)))
  if (row === undefined) throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  return fromRow(row)
}

/** The change, its event and its webhook: all of it commits, or nothing. */
export async function moveTaken(
  tx: Tx,
  before: StoredIntent,
  { change, moving }: { change: IntentChange; moving: Moving },
): Promise<StoredIntent> {
  const after = applyMove(before, change)
  const { settlement } = change
  const [row] = await tx.query(
    updateIntent({
      ...refOf(before),
      versionBefore: before.version,
      status: after.status,
      capturedMicro: String(after.capturedMicro),
      refundedMicro: String(after.refundedMicro),
      declineCode: after.declineCode,
      expiry: ruleOf(change.move).expiry,
      settleAs: settlement?.settleAs ?? null,
      settleAfterSeconds: settlement?.afterSeconds ?? null,
    }),
  )
  if (row === undefined) throw problem('MELMASTOON.GENERAL.CONFLICT')
  const moved = fromRow(row)
  await appendEvents(tx, buildEvent(moving, moved, change))
  await tellReceiver(tx, moved)
  return moved
}

export async function moveIntent(
  tx: Tx,
  key: IntentKey,
  step: { change: IntentChange; moving: Moving },
): Promise<StoredIntent> {
  return await moveTaken(tx, await takeIntent(tx, key), step)
}

async function tellReceiver(tx: Tx, intent: StoredIntent): Promise<void> {
  const webhook: PaymentWebhook = {
    id: newId('whk'),
    type: `payment_intent.${intent.status}`,
    tenantId: intent.tenantId,
    data: { intent: toIntent(intent, null) },
    occurredAt: toInstant(intent.updatedAt),
  }
  await tx.query(
    insertWebhook({
      ...refOf(intent),
      webhook: idToUuid(webhook.id),
      version: intent.version,
      type: webhook.type,
      body: JSON.stringify(webhook),
      fate: intent.webhookFate,
    }),
  )
}

export function refOf({ tenantId, paymentIntentId }: IntentKey) {
  return { tenant: idToUuid(tenantId), intent: idToUuid(paymentIntentId) }
}
