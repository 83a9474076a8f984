create table if not exists :schema.hotels (id text primary key);
