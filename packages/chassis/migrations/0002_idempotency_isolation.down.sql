drop policy if exists idempotency_relay on :schema.idempotency;
drop policy if exists idempotency_tenant_isolation on :schema.idempotency;
alter table :schema.idempotency no force row level security;
alter table :schema.idempotency disable row level security;
