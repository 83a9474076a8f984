drop table if exists :schema.inventory_room_stay;
drop table if exists :schema.inventory_allocation_item;
drop table if exists :schema.inventory_allocation;
drop table if exists :schema.inventory_night;
drop table if exists :schema.inventory_room;
drop table if exists :schema.inventory_room_type;
