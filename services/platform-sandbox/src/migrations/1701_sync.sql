-- Where each device stands in the exchange of changes, and the changes it can pull.
create table if not exists :schema.sync_cursor (
  tenant_id uuid not null,
  device_id uuid not null,
  pull_cursor text constraint ck_sync_cursor_pull check (length(pull_cursor) <= 200),
  push_ack text constraint ck_sync_cursor_push check (length(push_ack) <= 200),
  operator_id uuid not null,
  causation_id text constraint ck_sync_cursor_causation check (length(causation_id) <= 255),
  version integer not null default 1 constraint ck_sync_cursor_version check (version > 0),
  updated_at timestamptz not null default clock_timestamp(),
  constraint pk_sync_cursor primary key (tenant_id, device_id)
);
create index if not exists ix_sync_cursor_recent on :schema.sync_cursor (updated_at desc);

-- One row per property. Its lock orders the changes: a later number is committed later.
create table if not exists :schema.sync_feed (
  tenant_id uuid not null,
  property_id uuid not null,
  -- Another epoch makes the cursors of all devices invalid.
  epoch text not null,
  last_seq bigint not null default 0,
  -- Changes up to here are no longer complete.
  pruned_seq bigint not null default 0,
  constraint pk_sync_feed primary key (tenant_id, property_id)
);

-- The latest change of every room and task; bounded by their number.
create table if not exists :schema.sync_change (
  tenant_id uuid not null,
  property_id uuid not null,
  kind text not null constraint ck_sync_change_kind check (kind in ('room', 'task')),
  resource_id uuid not null,
  seq bigint not null,
  status text not null constraint ck_sync_change_status check (length(status) <= 40),
  version integer not null,
  changed_at timestamptz not null,
  constraint pk_sync_change primary key (tenant_id, property_id, kind, resource_id)
);
create unique index if not exists ux_sync_change_seq
  on :schema.sync_change (tenant_id, property_id, seq);
create index if not exists ix_sync_change_age on :schema.sync_change (changed_at)
  where kind = 'task';

:isolate_by_tenant(sync_cursor);
:isolate_by_tenant(sync_feed);
:isolate_by_tenant(sync_change);

do $$
declare
  name text;
begin
  foreach name in array array['sync_cursor', 'sync_feed', 'sync_change']
  loop
    execute format('drop policy if exists %I on :schema.%I', name || '_relay', name);
    execute format('create policy %I on :schema.%I to :relay using (true) with check (true)',
      name || '_relay', name);
  end loop;
end
$$;

grant select, insert, update, delete on :schema.sync_cursor to :app;
grant select, insert, update on :schema.sync_feed, :schema.sync_change to :app;
grant select on :schema.sync_cursor to :relay;
grant select, update on :schema.sync_feed to :relay;
grant select, delete on :schema.sync_change to :relay;
