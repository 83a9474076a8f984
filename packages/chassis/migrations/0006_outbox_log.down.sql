-- Stop all relays of the newer version first. Events that were not published go back to outbox,
-- with their position in the order; the others to outbox_published. Copies the whole log.
do $$
begin
  if to_regclass(':schema.outbox_log') is not null then
    insert into :schema.outbox (seq, event_id, tenant_id, subject, payload, envelope, occurred_at,
      enqueued_at, ordering_key, contract)
    overriding system value
    select seq, event_id, tenant_id, subject, payload, envelope, occurred_at, enqueued_at,
      ordering_key, contract
    from :schema.outbox_unpublished
    on conflict do nothing;
    insert into :schema.outbox_published (id, event_id, tenant_id, subject, payload, envelope,
      occurred_at, enqueued_at, published_at, attempts, next_attempt_at, seq, ordering_key)
    select gen_random_uuid(), event_id, tenant_id, subject, payload, envelope, occurred_at,
      enqueued_at, published_at, attempts, next_attempt_at, seq, ordering_key
    from :schema.outbox_event where status = 'published'
    on conflict do nothing;
  end if;
end
$$;
update :schema.outbox_lease set owner = null, lease_until = null;
drop function if exists :schema.repair_outbox_cursors();
drop function if exists :schema.index_outbox_day();
drop function if exists :schema.keep_outbox_partitions(int, int);
drop function if exists :schema.outbox_id_floor(timestamptz);
drop view if exists :schema.outbox_event;
drop view if exists :schema.outbox_unpublished;
drop function if exists :schema.is_published(xid8, bigint, pg_snapshot, pg_snapshot, bigint);
drop table if exists :schema.outbox_progress;
drop table if exists :schema.outbox_cursor;
drop table if exists :schema.outbox_log;
revoke all on sequence :schema.outbox_seq_seq from :app, :relay;
