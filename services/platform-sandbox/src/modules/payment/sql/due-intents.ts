import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from '../intent.ts'
import type { IntentRef } from './find-intent.ts'
import { intentColumns } from './intent-columns.ts'

/** Payments under way whose answer is due; their locks are taken one by one afterwards. */
export function selectDueIntents(rows: number): Statement<IntentRef> {
  return sql<IntentRef>`
    select tenant_id as tenant, payment_intent_id as intent from sandbox.payment_intent
    where settle_at <= now() and status = 'processing' and expires_at > now()
    order by settle_at limit ${rows}`
}

/**
 * Held to the end of the transaction; what somebody else is moving just now is left to him, and to
 * the next run.
 */
export function lockOverdueIntents(rows: number): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.expires_at <= now() and i.status in ('requires_action', 'processing', 'authorized')
    order by i.expires_at limit ${rows} for update skip locked`
}
