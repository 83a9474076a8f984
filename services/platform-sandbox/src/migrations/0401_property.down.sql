drop table if exists :schema.property_mark;
drop table if exists :schema.property_room;
drop table if exists :schema.property_room_type;
drop table if exists :schema.property_house;
drop table if exists :schema.property_amenity;
