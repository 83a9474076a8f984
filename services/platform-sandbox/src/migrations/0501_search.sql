-- The search data of every hotel, copied from the other modules through their events. All of it is
-- public: it is read across tenants by design and has no row-level security.
create sequence if not exists :schema.search_change_seq;

-- Every process caches these tables in memory and polls for changes. Sequence numbers become
-- visible out of order, so changes are read by transaction id: rows of the oldest running
-- transaction and of later ones do not count as read.
create or replace function :schema.search_stamp_change() returns trigger
language plpgsql as $$
begin
  new.updated_seq := nextval(':schema.search_change_seq');
  new.updated_xid := pg_current_xact_id();
  return new;
end
$$;

create table if not exists :schema.search_listing (
  property_id uuid primary key,
  tenant_id uuid not null,
  document jsonb not null,
  is_published boolean not null default true,
  cheapest_micro bigint check (cheapest_micro > 0),
  cheapest_currency text,
  version bigint not null default 1,
  indexed_at timestamptz not null default now(),
  updated_seq bigint not null,
  updated_xid xid8 not null,
  check ((cheapest_micro is null) = (cheapest_currency is null))
);
create index if not exists ix_search_listing_updated on :schema.search_listing (updated_xid);
create index if not exists ix_search_listing_tenant on :schema.search_listing (tenant_id);

-- Nights after the last one of the array are completely free: there is no booking that far ahead.
create table if not exists :schema.search_availability (
  property_id uuid primary key,
  first_night date not null,
  rooms_left smallint[] not null,
  rooms_total smallint not null check (rooms_total >= 0),
  updated_seq bigint not null,
  updated_xid xid8 not null,
  check (cardinality(rooms_left) <= 1000)
);
create index if not exists ix_search_availability_updated
  on :schema.search_availability (updated_xid);

-- Views and bookings decay exponentially: each counter is valid as of faded_at.
create table if not exists :schema.search_popularity (
  property_id uuid primary key,
  base_score double precision not null default 0,
  base_viewed_last_1h integer not null default 0,
  base_booked_last_24h integer not null default 0,
  viewed_1h double precision not null default 0,
  viewed_7d double precision not null default 0,
  booked_24h double precision not null default 0,
  faded_at timestamptz not null default now(),
  updated_seq bigint not null,
  updated_xid xid8 not null
);
create index if not exists ix_search_popularity_updated on :schema.search_popularity (updated_xid);

create table if not exists :schema.search_tenant (
  tenant_id uuid primary key,
  is_suspended boolean not null,
  since timestamptz not null,
  updated_seq bigint not null,
  updated_xid xid8 not null
);
create index if not exists ix_search_tenant_updated on :schema.search_tenant (updated_xid);

create table if not exists :schema.search_place (
  kind text not null check (kind in ('city', 'region', 'neighbourhood')),
  -- The key of a neighbourhood starts with that of its city: `kabul/shahr-e-naw`.
  key text not null,
  country text not null,
  names jsonb not null,
  lat double precision not null,
  lng double precision not null,
  updated_seq bigint not null,
  updated_xid xid8 not null,
  primary key (kind, key)
);
create index if not exists ix_search_place_updated on :schema.search_place (updated_xid);

create or replace trigger search_listing_stamp before insert or update on :schema.search_listing
  for each row execute function :schema.search_stamp_change();
create or replace trigger search_availability_stamp
  before insert or update on :schema.search_availability
  for each row execute function :schema.search_stamp_change();
create or replace trigger search_popularity_stamp
  before insert or update on :schema.search_popularity
  for each row execute function :schema.search_stamp_change();
create or replace trigger search_tenant_stamp before insert or update on :schema.search_tenant
  for each row execute function :schema.search_stamp_change();
create or replace trigger search_place_stamp before insert or update on :schema.search_place
  for each row execute function :schema.search_stamp_change();

grant usage on sequence :schema.search_change_seq to :app, :relay;
grant select, insert, update on
  :schema.search_listing, :schema.search_availability, :schema.search_popularity,
  :schema.search_tenant to :app, :relay;
grant select on :schema.search_place to :app;
grant select, insert, update on :schema.search_place to :relay;
