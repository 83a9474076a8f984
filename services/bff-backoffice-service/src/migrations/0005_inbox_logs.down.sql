drop table if exists :schema.ai_decision_log;
drop table if exists :schema.alert_ack_log;
