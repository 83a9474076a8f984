-- A request sees and writes the rows of its own tenant only, the owner of the tables included (D9).
-- Jobs delete old rows of all tenants. Re-runnable.
:isolate_by_tenant(booking_draft_snapshots);
drop policy if exists booking_draft_snapshots_relay on :schema.booking_draft_snapshots;
create policy booking_draft_snapshots_relay on :schema.booking_draft_snapshots
  to :relay using (true) with check (true);

:isolate_by_tenant(handoff_arrival_log);
drop policy if exists handoff_arrival_log_relay on :schema.handoff_arrival_log;
create policy handoff_arrival_log_relay on :schema.handoff_arrival_log
  to :relay using (true) with check (true);
