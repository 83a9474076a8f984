drop table if exists :schema.booking_payment_attempt;
drop table if exists :schema.booking_fulfilment;
drop table if exists :schema.booking_draft;
drop function if exists :schema.booking_now();
