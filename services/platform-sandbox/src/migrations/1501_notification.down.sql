drop table if exists :schema.notification_acknowledgement;
drop table if exists :schema.notification_alert;
