drop policy if exists handoff_arrival_log_relay on :schema.handoff_arrival_log;
drop policy if exists handoff_arrival_log_tenant_isolation on :schema.handoff_arrival_log;
alter table :schema.handoff_arrival_log no force row level security;
alter table :schema.handoff_arrival_log disable row level security;
drop policy if exists booking_draft_snapshots_relay on :schema.booking_draft_snapshots;
drop policy if exists booking_draft_snapshots_tenant_isolation on :schema.booking_draft_snapshots;
alter table :schema.booking_draft_snapshots no force row level security;
alter table :schema.booking_draft_snapshots disable row level security;
