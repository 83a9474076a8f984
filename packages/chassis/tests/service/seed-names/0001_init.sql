-- The shared tables exist already: they are migrated first and recorded under their own names.
comment on table :schema.outbox is 'Events of this service.';
