-- Reservations: the agreed terms, the history of states, and in a separate table the guest.

create table if not exists :schema.reservation_booking (
  tenant_id uuid not null,
  reservation_id uuid not null,
  code text not null,
  property_id uuid not null,
  status text not null constraint ck_reservation_booking_status check (status in ('quoted', 'held',
    'confirmed', 'checked_in', 'in_house', 'checked_out', 'cancelled', 'no_show', 'expired_hold')),
  check_in date not null,
  check_out date not null,
  items jsonb not null,
  total_micro bigint not null,
  currency text not null,
  guest_locale text not null,
  quote_id uuid,
  draft_id uuid,
  allocation_id uuid not null,
  digest text,
  payment_method text,
  payment_intent_id uuid,
  -- A copy of the column of the allocation, written in the same transactions.
  hold_expires_at timestamptz,
  hold_extensions int not null default 0,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  primary key (tenant_id, reservation_id),
  constraint ux_reservation_booking_code unique (tenant_id, code),
  constraint ck_reservation_booking_stay check (check_out > check_in)
);
create unique index if not exists ux_reservation_booking_allocation
  on :schema.reservation_booking (tenant_id, allocation_id);

create table if not exists :schema.reservation_history (
  tenant_id uuid not null,
  reservation_id uuid not null,
  version int not null,
  status text not null,
  reason_code text,
  at timestamptz not null default clock_timestamp(),
  caller text,
  call_key text,
  primary key (tenant_id, reservation_id, version),
  foreign key (tenant_id, reservation_id)
    references :schema.reservation_booking on delete cascade
);
create index if not exists ix_reservation_history_call
  on :schema.reservation_history (tenant_id, call_key) where call_key is not null;

-- Personal data: read only for the hotel's staff, and in no event, log or other table.
create table if not exists :schema.reservation_guest (
  tenant_id uuid not null,
  reservation_id uuid not null,
  full_name text not null,
  email text,
  phone text,
  arrival_time text,
  special_requests text,
  primary key (tenant_id, reservation_id),
  foreign key (tenant_id, reservation_id)
    references :schema.reservation_booking on delete cascade
);

do $$
declare
  name text;
begin
  foreach name in array array['reservation_booking', 'reservation_history', 'reservation_guest']
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

grant select, insert, update on :schema.reservation_booking, :schema.reservation_guest to :app;
grant select, insert on :schema.reservation_history to :app;
grant select, insert, update on :schema.reservation_booking, :schema.reservation_guest to :relay;
grant select, insert on :schema.reservation_history to :relay;
