-- Rooms that hotels sell through other channels (by telephone, through agencies): one array per
-- room type instead of a row per night, because a night gets its row with its first hold here.
alter table :schema.inventory_room_type add column if not exists channel_from date;
alter table :schema.inventory_room_type add column if not exists channel_sold smallint[];

-- The part of sold that the other channels had sold when the row was created.
alter table :schema.inventory_night add column if not exists channel int not null default 0;

create index if not exists ix_inventory_room_type_hotel
  on :schema.inventory_room_type (property_id);
