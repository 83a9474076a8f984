drop table if exists :schema.handoff_arrival_log;
