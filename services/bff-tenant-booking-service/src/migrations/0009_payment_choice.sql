-- What a guest chose with a payment: a promise of cash books only after the guest has asked for it,
-- and the provider's page has the guest's language. Columns without a default rewrite nothing.
-- Re-runnable.
alter table :schema.booking_payment_attempt
  add column if not exists confirm_requested_at timestamptz,
  add column if not exists locale text;
