-- Rooms left per room type, so that searches know which offers can be booked. Takes a short
-- exclusive lock: constant defaults are not written to existing rows, which the next seeding fills.
alter table :schema.search_availability
  add column if not exists room_types uuid[] not null default '{}',
  -- Per room type: the rooms of a night after the last known one.
  add column if not exists room_type_totals smallint[] not null default '{}',
  -- One night after the other from first_night, all nights of the first room type first.
  add column if not exists room_type_rooms_left smallint[] not null default '{}';

alter table :schema.search_availability
  drop constraint if exists ck_search_availability_room_types;
alter table :schema.search_availability
  add constraint ck_search_availability_room_types check (
    cardinality(room_types) = cardinality(room_type_totals)
    and cardinality(room_type_rooms_left) <= 1000 * cardinality(room_types));

-- The revision of the rates that the listing was indexed with: a listing changes with every rate.
alter table :schema.search_listing
  add column if not exists rates_revision bigint not null default 0;
