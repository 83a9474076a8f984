-- The ledger of what operators do. Its ids are ULIDs, which sort by time, so that it can be
-- partitioned by day under its documented key; there is no default, because a random id belongs to
-- no partition. Partitions are made by keep_activity_partitions, 7 days ahead. Re-runnable.
create table if not exists :schema.operator_activity (
  id uuid primary key,
  tenant_id uuid not null,
  property_id uuid,
  operator_id text not null,
  device_id text not null,
  session_id text not null,
  occurred_at timestamptz not null,
  category text not null,
  action text not null,
  resource_kind text,
  resource_id text,
  outcome text not null
    constraint ck_operator_activity_outcome check (outcome in ('success', 'failure')),
  latency_ms int,
  error_code text,
  context_hash text
) partition by range (id);
create index if not exists ix_activity_tenant_time
  on :schema.operator_activity (tenant_id, occurred_at desc);
create index if not exists ix_activity_operator_time
  on :schema.operator_activity (operator_id, occurred_at desc);
create index if not exists ix_activity_action_time
  on :schema.operator_activity (action, occurred_at desc);
:isolate_by_tenant(operator_activity, activity_iso);
drop policy if exists operator_activity_relay on :schema.operator_activity;
create policy operator_activity_relay on :schema.operator_activity for select to :relay using (true);
-- One statement contains rows of many tenants, which the policy of requests rejects. The role that
-- writes them may do nothing else: it cannot read what it has written.
drop policy if exists operator_activity_append on :schema.operator_activity;
create policy operator_activity_append on :schema.operator_activity for insert to :role(ledger)
  with check (true);
grant usage on schema :schema to :role(ledger);
grant insert on :schema.operator_activity to :role(ledger);
-- Requests insert only where the activity belongs to their own transaction.
grant select, insert on :schema.operator_activity to :app;
grant select on :schema.operator_activity to :relay;

-- The smallest id of a day in UTC: the first 48 bits of a ULID are its milliseconds.
create or replace function :schema.activity_id_floor(day date) returns uuid
  language sql immutable parallel safe as $$
  select (lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the missing partitions from yesterday (clocks differ) until `days_ahead`; returns how many.
-- A partition has forced row security without a policy and no grants: it is accessible through the
-- table only. It is attached, not created as a partition, which would block all inserts.
create or replace function :schema.keep_activity_partitions(days_ahead int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  day date;
  part text;
  made int := 0;
begin
  for day in select today + step from generate_series(-1, days_ahead) as step loop
    part := 'operator_activity_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(':schema.' || part) is not null;
    perform pg_advisory_xact_lock(hashtextextended(':schema.operator_activity', 0));
    continue when to_regclass(':schema.' || part) is not null;
    execute format('create table :schema.%I (like :schema.operator_activity including all)', part);
    execute format('alter table :schema.%I enable row level security', part);
    execute format('alter table :schema.%I force row level security', part);
    execute format(
      'alter table :schema.operator_activity attach partition :schema.%I for values from (%L) to (%L)',
      part, :schema.activity_id_floor(day), :schema.activity_id_floor(day + 1));
    made := made + 1;
  end loop;
  return made;
end
$$;
revoke all on function :schema.keep_activity_partitions(int) from public;
grant execute on function :schema.keep_activity_partitions(int) to :relay;
grant execute on function :schema.activity_id_floor(date) to :app, :relay;
