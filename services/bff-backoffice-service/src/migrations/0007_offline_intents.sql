-- What a device asked for while it was offline, and the one verdict on it. Idempotency keys expire
-- after 24 hours, but devices return after days: a verdict is kept for 35 days. Re-runnable.
create table if not exists :schema.offline_intent_verdict (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  device_id text not null,
  intent_id text not null,
  operator_id text not null,
  property_id uuid,
  name text not null,
  resource_id text,
  seq bigint not null,
  content_hash text not null,
  boot_id text not null,
  -- As the clock of the device had it, corrected; null if the device sent no usable time.
  occurred_at timestamptz,
  clock_suspect boolean not null,
  received_at timestamptz not null,
  -- Every write is fenced by the attempt that made it.
  attempt int not null default 1,
  claimed_until timestamptz not null,
  verdict text
    constraint ck_offline_intent_verdict_verdict
    check (verdict in ('applied', 'already_done', 'superseded', 'rejected')),
  detail jsonb,
  decided_at timestamptz,
  constraint ck_offline_intent_verdict_decided
    check ((verdict is null) = (decided_at is null) and (verdict is null) = (detail is null))
);
create unique index if not exists ux_offline_intent_verdict
  on :schema.offline_intent_verdict (tenant_id, device_id, intent_id);
create index if not exists ix_offline_intent_verdict_open
  on :schema.offline_intent_verdict (tenant_id, device_id, resource_id, seq) where verdict is null;
create index if not exists ix_offline_intent_verdict_contact
  on :schema.offline_intent_verdict (tenant_id, device_id, received_at desc);
create index if not exists ix_offline_intent_verdict_received
  on :schema.offline_intent_verdict (received_at);

-- A verdict never changes.
create or replace function :schema.keep_intent_verdict() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'a verdict does not change' using errcode = 'integrity_constraint_violation';
end
$$;
drop trigger if exists keep_intent_verdict on :schema.offline_intent_verdict;
create trigger keep_intent_verdict before update on :schema.offline_intent_verdict
  for each row when (old.verdict is not null) execute function :schema.keep_intent_verdict();

:isolate_by_tenant(offline_intent_verdict);
drop policy if exists offline_intent_verdict_relay on :schema.offline_intent_verdict;
create policy offline_intent_verdict_relay on :schema.offline_intent_verdict to :relay
  using (true) with check (true);
grant select, insert, update on :schema.offline_intent_verdict to :app;
grant select, delete on :schema.offline_intent_verdict to :relay;
