drop index if exists :schema.ix_handoff_received;
drop index if exists :schema.ix_drafts_finalized;
