insert into :schema.hotels (id) values ('development') on conflict do nothing;
