-- The contract that the event was checked against when it was written: the relay does not check it
-- again. Null for events of earlier versions and for replayed ones. Re-runnable.
alter table :schema.outbox add column if not exists contract text;
