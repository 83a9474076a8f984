-- The preferences of an operator, for all properties or one. A mirror of the tenant service.
-- Re-runnable.
create table if not exists :schema.operator_preferences (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  operator_id text not null,
  property_id uuid,
  payload jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null default now()
);
create unique index if not exists ux_prefs_op_prop on :schema.operator_preferences
  (tenant_id, operator_id, coalesce(property_id, '00000000-0000-0000-0000-000000000000'::uuid));
:isolate_by_tenant(operator_preferences, prefs_iso);
drop policy if exists operator_preferences_relay on :schema.operator_preferences;
create policy operator_preferences_relay on :schema.operator_preferences to :relay using (true) with check (true);
grant select, insert, update on :schema.operator_preferences to :app;
grant select, delete on :schema.operator_preferences to :relay;
