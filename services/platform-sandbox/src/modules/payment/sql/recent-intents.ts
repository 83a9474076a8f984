import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from '../intent.ts'
import { intentColumns } from './intent-columns.ts'

export function selectRecentIntents(rows: number): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    order by i.created_at desc, i.payment_intent_id limit ${rows}`
}
