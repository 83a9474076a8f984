-- The last attempt of a request is looked up before every action. The unique index does not contain
-- failed attempts, so that all actions of a tenant would be read. Re-runnable.
create index if not exists ix_lock_action_attempt
  on :schema.lock_action (tenant_id, request_key, action_id);
