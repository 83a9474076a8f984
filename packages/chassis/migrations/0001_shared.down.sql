drop table if exists :schema.job_run;
drop table if exists :schema.idempotency;
drop table if exists :schema.inbox;
drop table if exists :schema.outbox_lease;
drop table if exists :schema.outbox_published;
drop table if exists :schema.outbox;
drop function if exists :schema.current_tenant();
drop function if exists :schema.tenant_context_missing();
