drop index if exists :schema.ix_reservation_booking_in_house;
drop index if exists :schema.ix_reservation_booking_departure;
drop index if exists :schema.ix_reservation_booking_arrival;
alter table :schema.reservation_history drop column if exists causation_id;
alter table :schema.reservation_history drop column if exists operator_id;
alter table :schema.reservation_booking drop column if exists children;
alter table :schema.reservation_booking drop column if exists adults;
