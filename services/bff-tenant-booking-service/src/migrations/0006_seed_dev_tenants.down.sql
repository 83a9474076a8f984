alter table :schema.booking_draft_snapshots no force row level security;
delete from :schema.booking_draft_snapshots
  where session_id = 'tnt_session_01JGFJJZ000000000000000DEV';
alter table :schema.booking_draft_snapshots force row level security;
