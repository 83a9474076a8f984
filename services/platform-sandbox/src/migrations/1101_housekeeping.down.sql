drop table if exists :schema.housekeeping_task_history;
drop table if exists :schema.housekeeping_task;
drop table if exists :schema.housekeeping_room_history;
drop table if exists :schema.housekeeping_room;
