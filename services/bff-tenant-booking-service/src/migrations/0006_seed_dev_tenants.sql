-- Development data: drafts that ended at the first tenant of the demo world, so that analyses have
-- rows to read. This service has no table of tenants. The owner is subject to row-level security
-- like everyone else; it is lifted for this transaction only. Re-runnable.
alter table :schema.booking_draft_snapshots no force row level security;
insert into :schema.booking_draft_snapshots (draft_id, tenant_id, session_id, final_state,
  created_at, finalized_at, total_minor, currency, flow_state_history, payment_method,
  device_class, locale, display_currency)
select 'bdr_01JGFJJZ000000000000000DE' || n, '01941f29-7c00-58fc-66da-25927ccd9a80'::uuid, 'tnt_session_01JGFJJZ000000000000000DEV',
  state, now() - interval '1 hour', now(), 500000, 'AFN', '["quoting", "holding"]', method,
  'browser-mobile', 'ps-AF', 'AFN'
from (values (1, 'converted', 'card'), (2, 'converted', 'cash_on_arrival'), (3, 'abandoned', null))
  as ended (n, state, method)
on conflict (tenant_id, draft_id) do nothing;
alter table :schema.booking_draft_snapshots force row level security;
