-- The bookings of the last day as instants, so that their number is exact at any time.
alter table :schema.search_popularity
  add column if not exists booked_at timestamptz[] not null default '{}';
alter table :schema.search_popularity drop column if exists base_booked_last_24h;
alter table :schema.search_popularity drop column if exists booked_24h;
