-- Rooms by type and night: capacity, held and sold.

-- For the exclusion constraint below, which combines equality of uuid with overlap of stays.
create extension if not exists btree_gist with schema public;

create table if not exists :schema.inventory_room_type (
  tenant_id uuid not null,
  room_type_id uuid not null,
  property_id uuid not null,
  -- The capacity of every night without a row in inventory_night.
  capacity int not null
    constraint ck_inventory_room_type_capacity check (capacity between 0 and 1000),
  time_zone text not null,
  primary key (tenant_id, room_type_id)
);
create index if not exists ix_inventory_room_type_property
  on :schema.inventory_room_type (tenant_id, property_id);

create table if not exists :schema.inventory_room (
  tenant_id uuid not null,
  room_id uuid not null,
  room_type_id uuid not null,
  primary key (tenant_id, room_id)
);

-- A row exists once a room of the night was held or its capacity was changed. The second
-- constraint prevents selling a room twice: every hold and sale writes this row, so that no
-- statement can bypass it. The fill factor leaves space for the many updates of near nights.
create table if not exists :schema.inventory_night (
  tenant_id uuid not null,
  room_type_id uuid not null,
  night date not null,
  capacity int not null
    constraint ck_inventory_night_size check (capacity between 0 and 1000),
  held int not null default 0,
  sold int not null default 0,
  primary key (tenant_id, room_type_id, night),
  constraint ck_inventory_night_counts check (held >= 0 and sold >= 0),
  constraint ck_inventory_night_capacity check (held + sold <= capacity)
) with (fillfactor = 70);

-- A hold while active, a sale once committed. Its row is also the lock of all rows that belong to
-- it: every state change of an allocation locks this row first, then the nights in ascending order,
-- then the reservation.
create table if not exists :schema.inventory_allocation (
  tenant_id uuid not null,
  allocation_id uuid not null,
  property_id uuid not null,
  reservation_id uuid,
  holder text not null,
  session text,
  session_slot smallint,
  kept_by text not null
    constraint ck_inventory_allocation_kept_by check (kept_by in ('caller', 'reservation')),
  state text not null constraint ck_inventory_allocation_state
    check (state in ('active', 'committed', 'released', 'expired')),
  check_in date not null,
  check_out date not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  extensions int not null default 0,
  settled_at timestamptz,
  primary key (tenant_id, allocation_id),
  constraint ck_inventory_allocation_stay check (check_out > check_in),
  constraint ck_inventory_allocation_slot check ((session is null) = (session_slot is null))
);
create unique index if not exists ux_inventory_allocation_holder
  on :schema.inventory_allocation (tenant_id, holder) where state = 'active';
create unique index if not exists ux_inventory_allocation_session
  on :schema.inventory_allocation (tenant_id, session, session_slot) where state = 'active';
create unique index if not exists ux_inventory_allocation_reservation
  on :schema.inventory_allocation (tenant_id, reservation_id)
  where kept_by = 'reservation' and state in ('active', 'committed');
create index if not exists ix_inventory_allocation_due
  on :schema.inventory_allocation (expires_at) where state = 'active';

create table if not exists :schema.inventory_allocation_item (
  tenant_id uuid not null,
  allocation_id uuid not null,
  room_type_id uuid not null,
  rooms int not null constraint ck_inventory_allocation_item_rooms check (rooms > 0),
  primary key (tenant_id, allocation_id, room_type_id),
  foreign key (tenant_id, allocation_id) references :schema.inventory_allocation on delete cascade
);

create table if not exists :schema.inventory_room_stay (
  tenant_id uuid not null,
  allocation_id uuid not null,
  room_id uuid not null,
  room_type_id uuid not null,
  stay daterange not null,
  state text not null default 'assigned'
    constraint ck_inventory_room_stay_state check (state in ('assigned', 'released')),
  primary key (tenant_id, allocation_id, room_id),
  foreign key (tenant_id, allocation_id) references :schema.inventory_allocation on delete cascade,
  constraint ex_inventory_room_stay exclude using gist
    (tenant_id with =, room_id with =, stay with &&) where (state = 'assigned')
);

do $$
declare
  name text;
begin
  foreach name in array array['inventory_room_type', 'inventory_room', 'inventory_night',
    'inventory_allocation', 'inventory_allocation_item', 'inventory_room_stay']
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

grant select on :schema.inventory_room_type, :schema.inventory_room to :app;
grant select, insert, update on :schema.inventory_night, :schema.inventory_allocation,
  :schema.inventory_allocation_item, :schema.inventory_room_stay to :app;
grant select, insert, update on :schema.inventory_room_type, :schema.inventory_room,
  :schema.inventory_night, :schema.inventory_allocation, :schema.inventory_allocation_item,
  :schema.inventory_room_stay to :relay;
