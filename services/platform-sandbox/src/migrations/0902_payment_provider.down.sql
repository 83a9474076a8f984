drop table if exists :schema.payment_phone_ref;
alter table :schema.payment_intent drop column if exists provider;
