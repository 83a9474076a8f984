drop table if exists :schema.billing_folio_history;
drop table if exists :schema.billing_payment;
drop table if exists :schema.billing_charge;
drop table if exists :schema.billing_folio;
