/**
 * The names of the data model document §4 and §6, listed by hand from its text. Columns in the
 * document's order; a policy means that row-level security is enabled.
 */
export interface DocumentedTable {
  readonly columns: readonly string[]
  readonly primaryKey: string
  readonly indexes?: readonly string[]
  readonly policies?: readonly string[]
}

const names = (text: string) => text.trim().split(/\s+/)

export const DOCUMENTED_TABLES: Readonly<Record<string, DocumentedTable>> = {
  outbox: {
    columns: names(`id event_id tenant_id subject payload envelope occurred_at enqueued_at
      published_at attempts next_attempt_at status`),
    primaryKey: 'id uuid',
    indexes: ['ix_outbox_status_next_attempt', 'ix_outbox_subject', 'ix_outbox_tenant'],
  },
  inbox: {
    columns: names('message_id subject received_at processed_at'),
    primaryKey: 'message_id text',
  },
  idempotency: {
    columns: names('key tenant_id request_hash response status_code created_at expires_at'),
    primaryKey: 'key text',
    indexes: ['ix_idempotency_tenant_expires'],
  },
  booking_draft_snapshots: {
    columns: names(`id draft_id tenant_id session_id reservation_id property_id room_type_id
      rate_plan_id final_state created_at finalized_at total_minor currency guest_email_hash
      guest_phone_hash marketing flow_state_history error_trail payment_method payment_provider
      device_class locale display_currency`),
    primaryKey: 'id uuid',
    indexes: ['ix_drafts_tenant_finalized', 'ix_drafts_state', 'ix_drafts_session'],
    policies: ['booking_draft_snapshots_tenant_isolation'],
  },
  handoff_arrival_log: {
    columns: names(`id tenant_id consumer_session_id property_id received_at expires_at consumed
      consumed_at payload hmac_signature_fingerprint booking_draft_id signing_key_id remote_ip_hash
      user_agent_class`),
    primaryKey: 'id text',
    indexes: ['ix_handoff_tenant_received', 'ix_handoff_consumer_session', 'ix_handoff_consumed'],
    policies: ['handoff_arrival_log_tenant_isolation'],
  },
  schema_migrations: { columns: names('version applied_at'), primaryKey: 'version text' },
}

/** Indexes of the outbox that are placed on the table of published events (D28). */
export const MOVED_INDEXES: Readonly<Record<string, string>> = {
  ix_outbox_subject: 'outbox_published',
  ix_outbox_tenant: 'outbox_published',
}

export const DOCUMENTED_MIGRATIONS = [
  '0001_init',
  '0002_booking_draft_snapshots',
  '0003_handoff_arrival_log',
  '0004_indexes_pass_2',
  '0005_rls_policies',
  '0006_seed_dev_tenants',
]
