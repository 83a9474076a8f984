drop table if exists :schema.booking_draft_snapshots;
