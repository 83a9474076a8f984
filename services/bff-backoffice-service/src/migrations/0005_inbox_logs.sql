-- Acknowledged alerts, one row per operator (D14), and binding decisions on AI suggestions, one per
-- suggestion and tenant (D14). Re-runnable.
create table if not exists :schema.alert_ack_log (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  property_id uuid,
  alert_id text not null,
  category text not null,
  severity text not null,
  raised_at timestamptz not null,
  acknowledged_at timestamptz not null default now(),
  acknowledged_by text not null,
  device_id text not null,
  notes_truncated text constraint ck_alert_ack_log_notes check (length(notes_truncated) <= 200)
);
create unique index if not exists ux_alert_ack
  on :schema.alert_ack_log (tenant_id, alert_id, acknowledged_by);
create index if not exists ix_alert_ack_tenant_time
  on :schema.alert_ack_log (tenant_id, acknowledged_at desc);
-- Days are exported by time, of all tenants.
create index if not exists ix_alert_ack_time
  on :schema.alert_ack_log (acknowledged_at);
:isolate_by_tenant(alert_ack_log, alert_ack_iso);
drop policy if exists alert_ack_log_relay on :schema.alert_ack_log;
create policy alert_ack_log_relay on :schema.alert_ack_log to :relay using (true) with check (true);
grant select, insert on :schema.alert_ack_log to :app;
grant select, delete on :schema.alert_ack_log to :relay;

create table if not exists :schema.ai_decision_log (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  property_id uuid,
  suggestion_id text not null,
  inbox_entry_id text not null,
  category text not null,
  severity text not null,
  outcome text not null check (outcome in ('accepted', 'rejected', 'modified')),
  modified_delta jsonb,
  notes_truncated text constraint ck_ai_decision_log_notes check (length(notes_truncated) <= 200),
  decided_at timestamptz not null default now(),
  decided_by text not null,
  device_id text not null,
  provenance jsonb not null
);
create unique index if not exists ux_ai_decision
  on :schema.ai_decision_log (tenant_id, suggestion_id, decided_by);
-- One binding decision per suggestion: the second operator cannot insert theirs.
create unique index if not exists ux_ai_decision_binding
  on :schema.ai_decision_log (tenant_id, suggestion_id);
create index if not exists ix_ai_decision_tenant_time
  on :schema.ai_decision_log (tenant_id, decided_at desc);
-- Days are exported by time, of all tenants.
create index if not exists ix_ai_decision_time
  on :schema.ai_decision_log (decided_at);
:isolate_by_tenant(ai_decision_log, ai_decision_iso);
drop policy if exists ai_decision_log_relay on :schema.ai_decision_log;
create policy ai_decision_log_relay on :schema.ai_decision_log to :relay using (true) with check (true);
grant select, insert on :schema.ai_decision_log to :app;
grant select, delete on :schema.ai_decision_log to :relay;
