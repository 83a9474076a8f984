-- Landmarks, and the other names of places. The table has a few hundred rows; the lock is brief.
alter table :schema.search_place drop constraint if exists search_place_kind_check;
alter table :schema.search_place add constraint search_place_kind_check
  check (kind in ('city', 'region', 'neighbourhood', 'landmark'));
alter table :schema.search_place
  add column if not exists other_names text[] not null default '{}',
  -- The keys of the city and the region that the place belongs to; null for a city or region itself.
  add column if not exists city text,
  add column if not exists region text;
