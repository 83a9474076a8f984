-- For services whose idempotency rows always belong to a tenant (D9). Re-runnable.

alter table :schema.idempotency enable row level security;
alter table :schema.idempotency force row level security;

drop policy if exists idempotency_tenant_isolation on :schema.idempotency;
create policy idempotency_tenant_isolation on :schema.idempotency
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));

drop policy if exists idempotency_relay on :schema.idempotency;
create policy idempotency_relay on :schema.idempotency to :relay using (true) with check (true);
