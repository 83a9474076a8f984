drop index if exists :schema.ix_inventory_room_type_hotel;
alter table :schema.inventory_night drop column if exists channel;
alter table :schema.inventory_room_type drop column if exists channel_sold;
alter table :schema.inventory_room_type drop column if exists channel_from;
