-- The state of rooms and the tasks of housekeeping. A room without a row is clean and vacant.

create table if not exists :schema.housekeeping_room (
  tenant_id uuid not null,
  room_id uuid not null,
  property_id uuid not null,
  condition text not null default 'clean'
    constraint ck_housekeeping_room_condition
      check (condition in ('clean', 'dirty', 'cleaning', 'inspected')),
  -- The stay in house, and the local date on which it moved in.
  occupied_by uuid,
  occupied_on date,
  flags text[] not null default '{}'
    constraint ck_housekeeping_room_flags
      check (flags <@ array['dnd', 'refused', 'pickup', 'out_of_service', 'out_of_order']),
  discrepancy boolean not null default false,
  version int not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  -- The date of the demo world that set the occupancy; null after an event has changed it.
  seeded_on date,
  primary key (tenant_id, room_id),
  constraint ck_housekeeping_room_occupied check ((occupied_by is null) = (occupied_on is null))
);
create index if not exists ix_housekeeping_room_property
  on :schema.housekeeping_room (tenant_id, property_id);

create table if not exists :schema.housekeeping_room_history (
  tenant_id uuid not null,
  room_id uuid not null,
  version int not null,
  status text not null,
  at timestamptz not null default clock_timestamp(),
  operator_id uuid,
  causation_id text,
  primary key (tenant_id, room_id, version),
  foreign key (tenant_id, room_id) references :schema.housekeeping_room on delete cascade
);

create table if not exists :schema.housekeeping_task (
  tenant_id uuid not null,
  task_id uuid not null,
  property_id uuid not null,
  room_id uuid not null,
  room_number text not null,
  kind text not null,
  priority text not null,
  status text not null default 'pending'
    constraint ck_housekeeping_task_status
      check (status in ('pending', 'in_progress', 'completed', 'inspected', 'cancelled')),
  scheduled_for date not null,
  reservation_id uuid,
  operator_id uuid,
  source text not null,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  inspected_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, task_id),
  foreign key (tenant_id, room_id) references :schema.housekeeping_room
);
create index if not exists ix_housekeeping_task_property
  on :schema.housekeeping_task (tenant_id, property_id, task_id);
create index if not exists ix_housekeeping_task_room
  on :schema.housekeeping_task (tenant_id, room_id, status);
-- A room has at most one open task of a kind.
create unique index if not exists ux_housekeeping_task_open
  on :schema.housekeeping_task (tenant_id, room_id, kind)
  where status in ('pending', 'in_progress');

create table if not exists :schema.housekeeping_task_history (
  tenant_id uuid not null,
  task_id uuid not null,
  version int not null,
  status text not null,
  at timestamptz not null default clock_timestamp(),
  operator_id uuid,
  causation_id text,
  primary key (tenant_id, task_id, version),
  foreign key (tenant_id, task_id) references :schema.housekeeping_task on delete cascade
);

do $$
declare
  name text;
begin
  foreach name in array array['housekeeping_room', 'housekeeping_room_history',
    'housekeeping_task', 'housekeeping_task_history']
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

grant select, insert, update on :schema.housekeeping_room, :schema.housekeeping_task to :app, :relay;
grant select, insert on :schema.housekeeping_room_history, :schema.housekeeping_task_history
  to :app, :relay;
