-- Work orders and their history.

create table if not exists :schema.maintenance_work_order (
  tenant_id uuid not null,
  work_order_id uuid not null,
  property_id uuid not null,
  room_id uuid,
  room_number text,
  category text not null,
  severity text not null,
  status text not null default 'open'
    constraint ck_maintenance_work_order_status check (status in ('open', 'assigned',
      'in_progress', 'blocked', 'resolved', 'verified', 'cancelled')),
  title text not null,
  description text,
  source text not null,
  blocks_room boolean not null,
  assignee jsonb,
  reported_by uuid,
  resolution text,
  causation_id text,
  created_at timestamptz not null default clock_timestamp(),
  assigned_at timestamptz,
  resolved_at timestamptz,
  verified_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, work_order_id),
  constraint ck_maintenance_work_order_block check (room_id is not null or not blocks_room)
);
create index if not exists ix_maintenance_work_order_property
  on :schema.maintenance_work_order (tenant_id, property_id, work_order_id);
create index if not exists ix_maintenance_work_order_block
  on :schema.maintenance_work_order (tenant_id, room_id) where blocks_room;
create index if not exists ix_maintenance_work_order_causation
  on :schema.maintenance_work_order (tenant_id, causation_id) where causation_id is not null;
-- A room has at most one unresolved order per category.
create unique index if not exists ux_maintenance_work_order_unresolved
  on :schema.maintenance_work_order (tenant_id, room_id, category)
  where room_id is not null and status in ('open', 'assigned', 'in_progress', 'blocked');

create table if not exists :schema.maintenance_work_order_history (
  tenant_id uuid not null,
  work_order_id uuid not null,
  version int not null,
  status text not null,
  at timestamptz not null default clock_timestamp(),
  operator_id uuid,
  causation_id text,
  primary key (tenant_id, work_order_id, version),
  foreign key (tenant_id, work_order_id)
    references :schema.maintenance_work_order on delete cascade
);

do $$
declare
  name text;
begin
  foreach name in array array['maintenance_work_order', 'maintenance_work_order_history']
  loop
    execute format('alter table :schema.%I enable row level security', name);
    execute format('alter table :schema.%I force row level security', name);
    execute format('drop policy if exists %I on :schema.%I', name || '_tenant_isolation', name);
    execute format('create policy %I on :schema.%I to :app
      using (tenant_id = (select :schema.current_tenant()))
      with check (tenant_id = (select :schema.current_tenant()))',
      name || '_tenant_isolation', name);
    execute format('drop policy if exists %I on :schema.%I', name || '_relay', name);
    execute format('create policy %I on :schema.%I to :relay using (true) with check (true)',
      name || '_relay', name);
  end loop;
end
$$;

grant select, insert, update on :schema.maintenance_work_order to :app, :relay;
grant select, insert on :schema.maintenance_work_order_history to :app, :relay;
