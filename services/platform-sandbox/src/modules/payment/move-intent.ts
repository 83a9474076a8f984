import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, newId, type PaymentIntentId, problem, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { buildEvent } from './build-event.ts'
import { fromRow, type StoredIntent, toInstant, toIntent } from './intent.ts'
import { type IntentUpdate, lockIntent, updateIntents } from './intent-sql.ts'
import type { PaymentHost } from './payment-host.ts'
import { applyMove, type Change, ruleOf } from './state-table.ts'
import { insertWebhooks, type NewWebhook } from './webhook-sql.ts'

export interface IntentKey {
  readonly tenantId: TenantId
  readonly paymentIntentId: PaymentIntentId
}

export interface Moving {
  readonly registry: PaymentHost['registry']
  readonly cause: EventContext
}

/** With `wait`: the future response, and when it arrives automatically. */
export interface Settlement {
  readonly settleAs: 'approve' | 'decline'
  readonly afterSeconds: number
}

export type IntentChange = Change & { readonly settlement?: Settlement }

/** Locks the payment until the end of the transaction. */
export async function takeIntent(tx: Tx, key: IntentKey): Promise<StoredIntent> {
  const [row] = await tx.query(lockIntent(refOf(key)))
  if (row === undefined) throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  return fromRow(row)
}

export interface MoveStep {
  readonly change: IntentChange
  readonly moving: Moving
}

/** The change, its event and its webhook are committed together. */
export async function moveTaken(
  tx: Tx,
  before: StoredIntent,
  step: MoveStep,
): Promise<StoredIntent> {
  const [moved] = await moveAllTaken(tx, [before], step)
  if (moved === undefined) throw new TypeError('a moved payment is missing')
  return moved
}

/** The same for many payments, with the same number of statements. */
export async function moveAllTaken(
  tx: Tx,
  befores: readonly StoredIntent[],
  { change, moving }: MoveStep,
): Promise<StoredIntent[]> {
  const rows = await tx.query(updateIntents(befores.map((before) => toUpdate(before, change))))
  if (rows.length !== befores.length) throw problem('MELMASTOON.GENERAL.CONFLICT')
  const moved = rows.map(fromRow)
  await appendEvents(
    tx,
    moved.flatMap((intent) => buildEvent(moving, intent, change)),
  )
  await tx.query(insertWebhooks(moved.map(toWebhook)))
  return moved
}

function toUpdate(before: StoredIntent, change: IntentChange): IntentUpdate {
  const after = applyMove(before, change)
  return {
    ...refOf(before),
    version_before: before.version,
    status: after.status,
    captured_micro: String(after.capturedMicro),
    refunded_micro: String(after.refundedMicro),
    decline_code: after.declineCode,
    expiry: ruleOf(change.move).expiry,
    settle_as: change.settlement?.settleAs ?? null,
    settle_after_seconds: change.settlement?.afterSeconds ?? null,
  }
}

function toWebhook(intent: StoredIntent): NewWebhook {
  const webhook: PaymentWebhook = {
    id: newId('whk'),
    type: `payment_intent.${intent.status}`,
    tenantId: intent.tenantId,
    data: { intent: toIntent(intent, null) },
    occurredAt: toInstant(intent.updatedAt),
  }
  return {
    ...refOf(intent),
    webhook: idToUuid(webhook.id),
    version: intent.version,
    type: webhook.type,
    body: JSON.stringify(webhook),
    fate: intent.webhookDelivery,
  }
}

export function refOf({ tenantId, paymentIntentId }: IntentKey) {
  return { tenant: idToUuid(tenantId), intent: idToUuid(paymentIntentId) }
}
