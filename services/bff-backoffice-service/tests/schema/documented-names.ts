/**
 * The names of the data model document §4, listed by hand from its text. A policy means that
 * row-level security is enabled.
 */
export interface DocumentedTable {
  readonly columns: readonly string[]
  /** Column and type. */
  readonly primaryKey: string
  readonly indexes?: readonly string[]
  readonly policy?: string
}

const names = (text: string) => text.trim().split(/\s+/)

export const DOCUMENTED_TABLES: Readonly<Record<string, DocumentedTable>> = {
  outbox: {
    columns: names(`id subject payload envelope enqueued_at published_at attempts next_attempt_at
      dlq last_error`),
    primaryKey: 'id uuid',
    indexes: names('ix_outbox_pending ix_outbox_dlq'),
  },
  inbox: {
    columns: names('message_id subject received_at processed_at attempts last_error'),
    primaryKey: 'message_id text',
    indexes: names('ix_inbox_unprocessed'),
  },
  idempotency: {
    columns: names(`idem_key request_hash response status_code tenant_id device_id operator_id
      created_at expires_at`),
    primaryKey: 'idem_key text',
    indexes: names('ix_idem_expiry ix_idem_tenant'),
    policy: 'idem_tenant_iso',
  },
  device_sync_status: {
    columns: names(`id tenant_id device_id property_id operator_id last_heartbeat_at
      last_sync_handshake_at last_pull_cursor last_push_ack cursor_version app_version app_platform
      installer_channel network_profile status pending_hints updated_at`),
    primaryKey: 'id uuid',
    indexes: names('ux_device_sync_status_device ix_device_sync_status_status_heartbeat'),
    policy: 'device_sync_iso',
  },
  operator_preferences: {
    columns: names('id tenant_id operator_id property_id payload version updated_at'),
    primaryKey: 'id uuid',
    indexes: names('ux_prefs_op_prop'),
    policy: 'prefs_iso',
  },
  operator_activity: {
    columns: names(`id tenant_id property_id operator_id device_id session_id occurred_at category
      action resource_kind resource_id outcome latency_ms error_code context_hash`),
    primaryKey: 'id uuid',
    indexes: names('ix_activity_tenant_time ix_activity_operator_time ix_activity_action_time'),
    policy: 'activity_iso',
  },
  alert_ack_log: {
    columns: names(`id tenant_id property_id alert_id category severity raised_at acknowledged_at
      acknowledged_by device_id notes_truncated`),
    primaryKey: 'id uuid',
    indexes: names('ux_alert_ack ix_alert_ack_tenant_time'),
    policy: 'alert_ack_iso',
  },
  ai_decision_log: {
    columns: names(`id tenant_id property_id suggestion_id inbox_entry_id category severity outcome
      modified_delta notes_truncated decided_at decided_by device_id provenance`),
    primaryKey: 'id uuid',
    indexes: names('ux_ai_decision ix_ai_decision_tenant_time'),
    policy: 'ai_decision_iso',
  },
  lock_action_proxy_audit: {
    columns: names(`id tenant_id property_id operator_id device_id reservation_id action vendor
      occurred_at outcome error_code mfa_attestation_id upstream_request_id upstream_latency_ms`),
    primaryKey: 'id uuid',
    indexes: names(`ix_lock_audit_tenant_time ix_lock_audit_property_time
      ix_lock_audit_operator_time ix_lock_audit_reservation`),
    policy: 'lock_audit_iso',
  },
  offline_action_queue_hints: {
    columns: names('id tenant_id device_id operator_id reported_at payload app_version'),
    primaryKey: 'id uuid',
    indexes: names('ix_oaq_device_time ix_oaq_tenant_time'),
    policy: 'oaq_iso',
  },
  schema_migrations: { columns: ['version'], primaryKey: 'version text' },
}

/** Names of tables that all services share, which have one shape (D28). */
export const SHARED_NAMES: Readonly<Record<string, string>> = {
  idem_key: 'key',
  ix_idem_tenant: 'ix_idempotency_tenant_expires',
  idem_tenant_iso: 'idempotency_tenant_isolation',
}

/** The documented policies of the service's own tables. */
export const POLICIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DOCUMENTED_TABLES).flatMap(([table, { policy }]) =>
    policy === undefined ? [] : [[table, SHARED_NAMES[policy] ?? policy]],
  ),
)
