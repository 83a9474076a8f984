drop table if exists :schema.lock_follow_up;
drop table if exists :schema.lock_alert;
drop table if exists :schema.lock_action_transition;
drop function if exists :schema.keep_lock_transition();
drop table if exists :schema.lock_action_room;
drop table if exists :schema.lock_action;
drop table if exists :schema.lock_action_proxy_audit;
drop function if exists :schema.keep_lock_audit();
