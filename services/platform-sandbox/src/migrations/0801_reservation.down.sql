drop table if exists :schema.reservation_guest;
drop table if exists :schema.reservation_history;
drop table if exists :schema.reservation_booking;
