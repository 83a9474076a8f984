alter table :schema.outbox drop column if exists contract;
