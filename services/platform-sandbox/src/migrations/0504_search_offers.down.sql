alter table :schema.search_listing drop column if exists rates_revision;
alter table :schema.search_availability
  drop constraint if exists ck_search_availability_room_types,
  drop column if exists room_types,
  drop column if exists room_type_totals,
  drop column if exists room_type_rooms_left;
