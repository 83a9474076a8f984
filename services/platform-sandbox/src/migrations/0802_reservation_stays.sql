-- Stays as the staff of a hotel works with them. The columns are nullable: no table is rewritten.

alter table :schema.reservation_booking add column if not exists adults int;
alter table :schema.reservation_booking add column if not exists children int;

-- Who changed it, and what caused the change. Kept without limit.
alter table :schema.reservation_history add column if not exists operator_id uuid;
alter table :schema.reservation_history add column if not exists causation_id text;

create index if not exists ix_reservation_booking_arrival
  on :schema.reservation_booking (tenant_id, property_id, check_in);
create index if not exists ix_reservation_booking_departure
  on :schema.reservation_booking (tenant_id, property_id, check_out);
create index if not exists ix_reservation_booking_in_house
  on :schema.reservation_booking (tenant_id, property_id)
  where status in ('checked_in', 'in_house');
