drop table if exists :schema.offline_action_queue_hints;
drop table if exists :schema.device_sync_status;
