drop table if exists :schema.hotels;
