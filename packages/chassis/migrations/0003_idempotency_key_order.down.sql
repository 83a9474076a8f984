alter table :schema.idempotency alter column key type text collate "default";
