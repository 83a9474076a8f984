import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from '../intent.ts'
import { intentColumns } from './intent-columns.ts'

export interface IntentRef {
  readonly tenant: string
  readonly intent: string
}

export function findIntent({ tenant, intent }: IntentRef): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.tenant_id = ${tenant}::uuid and i.payment_intent_id = ${intent}::uuid`
}

export interface RequestRef {
  readonly tenant: string
  readonly caller: string
  readonly key: string
}

export function findIntentByKey({ tenant, caller, key }: RequestRef): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.tenant_id = ${tenant}::uuid and i.created_by = ${caller} and i.request_key = ${key}`
}

/** Held to the end of the transaction: the moves of one payment have one order. */
export function lockIntent({ tenant, intent }: IntentRef): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.tenant_id = ${tenant}::uuid and i.payment_intent_id = ${intent}::uuid
    for update`
}
