alter table :schema.booking_payment_attempt
  drop column if exists confirm_requested_at,
  drop column if exists locale;
