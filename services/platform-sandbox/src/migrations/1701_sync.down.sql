drop table if exists :schema.sync_change;
drop table if exists :schema.sync_feed;
drop table if exists :schema.sync_cursor;
