drop table if exists :schema.search_place, :schema.search_tenant, :schema.search_popularity,
  :schema.search_availability, :schema.search_listing;
drop function if exists :schema.search_stamp_change();
drop sequence if exists :schema.search_change_seq;
