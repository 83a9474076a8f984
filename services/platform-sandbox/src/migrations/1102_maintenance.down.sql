drop table if exists :schema.maintenance_work_order_history;
drop table if exists :schema.maintenance_work_order;
