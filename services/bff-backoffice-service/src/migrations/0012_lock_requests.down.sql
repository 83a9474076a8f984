drop index if exists :schema.ix_lock_action_attempt;
