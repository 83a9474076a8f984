-- The state of each device as last reported, and what its offline queue contained. Re-runnable.
create table if not exists :schema.device_sync_status (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  device_id text not null,
  property_id uuid,
  operator_id text,
  last_heartbeat_at timestamptz,
  last_sync_handshake_at timestamptz,
  last_pull_cursor text,
  last_push_ack text,
  cursor_version int not null default 0,
  app_version text,
  app_platform text,
  installer_channel text not null default 'stable',
  network_profile text,
  status text not null default 'online',
  pending_hints jsonb not null default '[]'::jsonb,
  updated_at timestamptz not null default now()
);
create unique index if not exists ux_device_sync_status_device
  on :schema.device_sync_status (tenant_id, device_id);
create index if not exists ix_device_sync_status_status_heartbeat
  on :schema.device_sync_status (status, last_heartbeat_at desc);
:isolate_by_tenant(device_sync_status, device_sync_iso);
drop policy if exists device_sync_status_relay on :schema.device_sync_status;
create policy device_sync_status_relay on :schema.device_sync_status to :relay using (true) with check (true);
grant select, insert, update on :schema.device_sync_status to :app;
grant select, update on :schema.device_sync_status to :relay;

create table if not exists :schema.offline_action_queue_hints (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  device_id text not null,
  operator_id text not null,
  reported_at timestamptz not null default now(),
  payload jsonb not null,
  app_version text not null
);
create index if not exists ix_oaq_device_time
  on :schema.offline_action_queue_hints (device_id, reported_at desc);
create index if not exists ix_oaq_tenant_time
  on :schema.offline_action_queue_hints (tenant_id, reported_at desc);
:isolate_by_tenant(offline_action_queue_hints, oaq_iso);
drop policy if exists offline_action_queue_hints_relay on :schema.offline_action_queue_hints;
create policy offline_action_queue_hints_relay on :schema.offline_action_queue_hints to :relay using (true) with check (true);
grant select, insert on :schema.offline_action_queue_hints to :app;
grant select, delete on :schema.offline_action_queue_hints to :relay;
