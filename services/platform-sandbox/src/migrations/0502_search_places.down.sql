delete from :schema.search_place where kind = 'landmark';
alter table :schema.search_place
  drop column if exists other_names, drop column if exists city, drop column if exists region;
alter table :schema.search_place drop constraint if exists search_place_kind_check;
alter table :schema.search_place add constraint search_place_kind_check
  check (kind in ('city', 'region', 'neighbourhood'));
