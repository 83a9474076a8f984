import type { LakeColumn, LakeColumnType, LakeTable } from './lake.ts'

const TYPES: Readonly<Record<string, LakeColumnType>> = { i: 'integer', t: 'timestamp', j: 'json' }

/** `name` is text, `name:i` an integer, `name:t` a timestamp, `name:j` a document. */
const columns = (text: string): LakeColumn[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [name = '', type = ''] = word.split(':')
      return { name, type: TYPES[type] ?? 'text' }
    })

/**
 * The ledger: 90 days in Postgres. `context_hash` is part of the documented table, which does not
 * define its content: it is always null.
 */
export const OPERATOR_ACTIVITY: LakeTable = {
  name: 'operator_activity',
  columns: columns(`id tenant_id property_id operator_id device_id session_id occurred_at:t category
    action resource_kind resource_id outcome latency_ms:i error_code context_hash`),
  timeColumn: null,
  hotDays: 90,
}

/** Without the notes of operators, which are free text. */
export const ALERT_ACK_LOG: LakeTable = {
  name: 'alert_ack_log',
  columns: columns(`id tenant_id property_id alert_id category severity raised_at:t
    acknowledged_at:t acknowledged_by device_id`),
  timeColumn: 'acknowledged_at',
  hotDays: 365,
}

/** Without the notes of operators. The delta and the provenance are regulated (B4). */
export const AI_DECISION_LOG: LakeTable = {
  name: 'ai_decision_log',
  columns: columns(`id tenant_id property_id suggestion_id inbox_entry_id category severity outcome
    modified_delta:j decided_at:t decided_by device_id provenance:j`),
  timeColumn: 'decided_at',
  hotDays: null,
}

export const LOCK_AUDIT: LakeTable = {
  name: 'lock_action_proxy_audit',
  columns: columns(`id tenant_id property_id operator_id device_id reservation_id action vendor
    occurred_at:t outcome error_code mfa_attestation_id upstream_request_id upstream_latency_ms:i`),
  timeColumn: 'occurred_at',
  unsettled: ['pending', 'unknown'],
  hotDays: null,
}

export const LAKE_TABLES: readonly LakeTable[] = [
  OPERATOR_ACTIVITY,
  ALERT_ACK_LOG,
  AI_DECISION_LOG,
  LOCK_AUDIT,
]
