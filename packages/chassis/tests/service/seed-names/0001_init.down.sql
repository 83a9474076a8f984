comment on table :schema.outbox is null;
