-- Drafts that ended, for analysis; deleted after 30 days. Personal data only as keyed hashes.
-- Re-runnable.
create table if not exists :schema.booking_draft_snapshots (
  id uuid constraint pk_booking_draft_snapshots primary key default gen_random_uuid(),
  draft_id text not null,
  tenant_id uuid not null,
  session_id text not null,
  reservation_id text,
  property_id text,
  room_type_id text,
  rate_plan_id text,
  final_state text not null constraint ck_drafts_final_state
    check (final_state in ('converted', 'abandoned', 'failed')),
  created_at timestamptz not null,
  finalized_at timestamptz not null default now(),
  total_minor bigint constraint ck_drafts_total check (total_minor >= 0),
  currency text constraint ck_drafts_currency check (currency ~ '^[A-Z]{3}$'),
  guest_email_hash text
    constraint ck_drafts_email check (guest_email_hash ~ '^sha256:[0-9a-f]{64}$'),
  guest_phone_hash text
    constraint ck_drafts_phone check (guest_phone_hash ~ '^sha256:[0-9a-f]{64}$'),
  marketing jsonb,
  flow_state_history jsonb not null default '[]'::jsonb,
  error_trail jsonb not null default '[]'::jsonb,
  payment_method text,
  payment_provider text,
  device_class text,
  locale text,
  display_currency text
);

-- One snapshot per draft, whatever process writes it.
create unique index if not exists ux_drafts_tenant_draft
  on :schema.booking_draft_snapshots (tenant_id, draft_id);
create index if not exists ix_drafts_tenant_finalized
  on :schema.booking_draft_snapshots (tenant_id, finalized_at desc);
create index if not exists ix_drafts_state
  on :schema.booking_draft_snapshots (final_state, finalized_at desc);
create index if not exists ix_drafts_session
  on :schema.booking_draft_snapshots (session_id, finalized_at desc);

grant select, insert, update on :schema.booking_draft_snapshots to :app;
grant select, insert, update, delete on :schema.booking_draft_snapshots to :relay;
