-- Tables every service has in its own schema, which `migrate` has made. Re-runnable.

grant usage on schema :schema to :app, :relay;

-- Raising instead of returning null keeps a forgotten tenant scope from looking like "no rows".
create or replace function :schema.tenant_context_missing() returns uuid
  language plpgsql stable parallel safe as $$
begin
  raise exception 'TENANT_CONTEXT_MISSING' using errcode = 'MT001';
end
$$;

-- After a transaction the setting is '' and not null, hence nullif. One plain SELECT, so that the
-- planner inlines it into the policies.
create or replace function :schema.current_tenant() returns uuid
  language sql stable parallel safe as $$
  select coalesce(
    nullif(pg_catalog.current_setting('app.tenant_id', true), '')::uuid,
    :schema.tenant_context_missing())
$$;

grant execute on function :schema.tenant_context_missing(), :schema.current_tenant()
  to :app, :relay;

-- Service-scoped: tenant_id routes the event, it does not guard it.
create table if not exists :schema.outbox (
  id uuid primary key default gen_random_uuid(),
  event_id text not null constraint ux_outbox_event_id unique,
  tenant_id uuid,
  subject text not null,
  payload jsonb not null,
  envelope jsonb not null,
  occurred_at timestamptz not null,
  enqueued_at timestamptz not null default now(),
  published_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  status text not null default 'pending'
    constraint ck_outbox_status check (status in ('pending', 'retrying', 'published', 'dead')),
  dlq boolean not null default false,
  last_error text,
  seq bigint generated always as identity,
  ordering_key text not null,
  shard smallint generated always as ((hashtextextended(ordering_key, 0) & 15)::smallint) stored
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index if not exists ix_outbox_status_next_attempt on :schema.outbox (status, next_attempt_at)
  where status in ('pending', 'retrying');
create index if not exists ix_outbox_subject on :schema.outbox (subject);
create index if not exists ix_outbox_tenant on :schema.outbox (tenant_id);
create index if not exists ix_outbox_pending on :schema.outbox (next_attempt_at)
  where published_at is null and dlq = false;
create index if not exists ix_outbox_dlq on :schema.outbox (enqueued_at desc) where dlq = true;
-- The relay reads its shards in the order of seq.
create index if not exists ix_outbox_claim on :schema.outbox (shard, seq)
  where status in ('pending', 'retrying');

-- Keyed by event_id, which grows with time, so that the relay always writes at the end of the index;
-- a key on the random id would make it write all over.
create table if not exists :schema.outbox_published (
  event_id text constraint pk_outbox_published primary key,
  id uuid not null,
  tenant_id uuid,
  subject text not null,
  payload jsonb not null,
  envelope jsonb not null,
  occurred_at timestamptz not null,
  enqueued_at timestamptz not null,
  published_at timestamptz not null default now(),
  attempts int not null default 0,
  next_attempt_at timestamptz,
  status text not null default 'published',
  dlq boolean not null default false,
  last_error text,
  seq bigint,
  ordering_key text not null
);
create index if not exists ix_outbox_published_at on :schema.outbox_published (published_at);

-- The holder of a shard's row may publish its events; the fence rejects a holder that was suspended.
create table if not exists :schema.outbox_lease (
  shard smallint primary key constraint ck_outbox_lease_shard check (shard between 0 and 15),
  owner text,
  fence bigint not null default 0,
  lease_until timestamptz
);
insert into :schema.outbox_lease (shard) select generate_series(0, 15) on conflict do nothing;

create table if not exists :schema.inbox (
  message_id text primary key,
  subject text not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts int not null default 0,
  last_error text,
  dead boolean not null default false
);
-- Pruning goes from the oldest on.
create index if not exists ix_inbox_received on :schema.inbox (received_at);
create index if not exists ix_inbox_unprocessed on :schema.inbox (received_at)
  where processed_at is null;

-- D8. `key` is the digest of the whole scope, so it says nothing about the caller.
create table if not exists :schema.idempotency (
  key text not null,
  tenant_id uuid,
  request_hash text not null,
  hash_version smallint not null default 1,
  state text not null default 'in_progress'
    constraint ck_idempotency_state check (state in ('in_progress', 'completed')),
  attempt int not null default 1,
  lease_until timestamptz not null,
  recovery_point text not null default 'started',
  recovery_data jsonb not null default '{}',
  response jsonb,
  status_code int,
  device_id text,
  operator_id text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  constraint ck_idempotency_completed check ((state = 'completed') = (status_code is not null))
);
create unique index if not exists ux_idempotency_scope on :schema.idempotency (tenant_id, key)
  nulls not distinct;
create index if not exists ix_idempotency_tenant_expires
  on :schema.idempotency (tenant_id, expires_at);
create index if not exists ix_idem_expiry on :schema.idempotency (expires_at);

create table if not exists :schema.job_run (
  name text primary key,
  runner text,
  lease_until timestamptz,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_result jsonb
);

-- Written by the service, read by the relay only.
grant insert on :schema.outbox to :app;
grant select, insert, update on :schema.inbox, :schema.idempotency to :app;
grant select on :schema.job_run, :schema.schema_migrations to :app;
grant select, insert, update, delete
  on :schema.outbox, :schema.outbox_published, :schema.outbox_lease, :schema.inbox,
    :schema.idempotency, :schema.job_run
  to :relay;
grant select on :schema.schema_migrations to :relay;
