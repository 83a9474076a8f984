-- Pruning reads the rows of all tenants from the oldest on; the other indexes start with the tenant.
-- Plain CREATE INDEX blocks writes while it runs: about a second per million rows. Re-runnable.
create index if not exists ix_drafts_finalized on :schema.booking_draft_snapshots (finalized_at);
create index if not exists ix_handoff_received on :schema.handoff_arrival_log (received_at);
