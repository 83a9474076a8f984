drop table if exists :schema.payment_webhook;
drop table if exists :schema.payment_refund;
drop table if exists :schema.payment_intent;
