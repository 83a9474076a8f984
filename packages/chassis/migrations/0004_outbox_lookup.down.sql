drop index if exists :schema.ix_outbox_subject;
drop index if exists :schema.ix_outbox_tenant;
create index if not exists ix_outbox_subject on :schema.outbox (subject);
create index if not exists ix_outbox_tenant on :schema.outbox (tenant_id);
