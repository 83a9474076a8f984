alter table :schema.search_popularity
  add column if not exists base_booked_last_24h int not null default 0;
alter table :schema.search_popularity
  add column if not exists booked_24h double precision not null default 0;
alter table :schema.search_popularity drop column if exists booked_at;
