-- Published events that are no longer needed for replays. Relay and jobs only: like the other tables
-- of the outbox it contains all tenants. Re-runnable.
create table if not exists :schema.outbox_archive (
  like :schema.outbox_published including defaults,
  constraint pk_outbox_archive primary key (event_id)
);
create index if not exists ix_outbox_archive_published_at on :schema.outbox_archive (published_at);
grant select, insert, delete on :schema.outbox_archive to :relay;
