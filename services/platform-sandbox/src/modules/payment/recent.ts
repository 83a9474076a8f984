import type { Database } from '@melmastoon/chassis/db'
import { type Id, type PaymentIntentId, type TenantId, uuidToId } from '@melmastoon/domain'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { fromRow, toIntent } from './intent.ts'
import { selectRecentIntents } from './intent-sql.ts'
import { selectRecentWebhooks, type WebhookRow } from './webhook-sql.ts'

const ROWS = 50

export type RecentPayment = Intent & { readonly tenantId: TenantId }

export interface RecentWebhook {
  readonly tenantId: TenantId
  readonly webhookId: Id<'whk'>
  readonly paymentIntentId: PaymentIntentId
  readonly type: string
  readonly status: WebhookRow['status']
  readonly delivery: WebhookRow['fate']
  readonly attempts: number
  readonly deliveries: number
  readonly lastOutcome: string | null
  readonly createdAt: Date
}

export async function recentPayments(relayDb: Database): Promise<RecentPayment[]> {
  const rows = await relayDb.query(selectRecentIntents(ROWS))
  return rows.map(fromRow).map((stored) => ({
    ...toIntent(stored, null),
    tenantId: stored.tenantId,
  }))
}

export async function recentWebhooks(relayDb: Database): Promise<RecentWebhook[]> {
  const rows = await relayDb.query(selectRecentWebhooks(ROWS))
  return rows.map((row) => ({
    tenantId: uuidToId('tnt', row.tenant_id),
    webhookId: uuidToId('whk', row.webhook_id),
    paymentIntentId: uuidToId('pyi', row.payment_intent_id),
    type: row.type,
    status: row.status,
    delivery: row.fate,
    attempts: row.attempts,
    deliveries: row.deliveries_done,
    lastOutcome: row.last_outcome,
    createdAt: row.created_at,
  }))
}
