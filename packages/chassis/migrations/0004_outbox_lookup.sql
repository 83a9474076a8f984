-- D28: lookups by subject and tenant are made on published events, and the hot table keeps only the
-- indexes that the relay and dead letters need. Plain CREATE INDEX blocks the relay's writes while
-- it runs: about a second per million rows. Re-runnable.
drop index if exists :schema.ix_outbox_subject;
drop index if exists :schema.ix_outbox_tenant;
create index if not exists ix_outbox_subject on :schema.outbox_published (subject);
create index if not exists ix_outbox_tenant on :schema.outbox_published (tenant_id);
