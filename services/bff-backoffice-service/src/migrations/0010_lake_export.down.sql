drop function if exists :schema.attach_activity_partition(date);
drop function if exists :schema.drop_detached_activity(date);
drop function if exists :schema.detach_activity_partition(date);
drop table if exists :schema.lake_export;
