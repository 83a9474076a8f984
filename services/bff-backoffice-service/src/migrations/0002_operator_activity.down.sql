drop function if exists :schema.keep_activity_partitions(int);
drop table if exists :schema.operator_activity;
drop function if exists :schema.activity_id_floor(date);
