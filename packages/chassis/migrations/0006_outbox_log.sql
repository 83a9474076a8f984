-- Events are appended to outbox_log and never changed. A cursor per shard records which of them are
-- published; outbox contains those that were rejected, wait behind such an event, are dead, are
-- replayed, or were written by an earlier version. Adds tables, takes no lock on a large one.
-- Re-runnable.
--
-- Relays of earlier versions know nothing of the log and would overtake it. Their leases are taken
-- for good; relays of this version lease rows of outbox_cursor and publish both tables.

-- The key grows with time, so that the table can be divided by day and still knows each event once.
-- seq comes from the sequence of outbox: both tables have one order.
create table if not exists :schema.outbox_log (
  event_id text constraint pk_outbox_log primary key,
  seq bigint not null default nextval(':schema.outbox_seq_seq'),
  -- Whose commit makes the row visible: snapshots are compared with it.
  xid xid8 not null default pg_current_xact_id(),
  tenant_id uuid,
  subject text not null,
  payload jsonb not null,
  envelope jsonb not null,
  occurred_at timestamptz not null,
  enqueued_at timestamptz not null default now(),
  ordering_key text not null,
  contract text,
  shard smallint generated always as ((hashtextextended(ordering_key, 0) & 15)::smallint) stored
) partition by range (event_id);
-- New rows of a shard are found by transaction, the rows of a backlog in the order of seq.
create index if not exists ix_outbox_log_xid on :schema.outbox_log (shard, xid);
create index if not exists ix_outbox_log_seq on :schema.outbox_log (shard, seq);
-- For the first day, and for ids that belong to no day.
create table if not exists :schema.outbox_log_default
  partition of :schema.outbox_log default;

-- Published is what `done` sees, and what `span` sees up to `position` while a backlog is published.
-- The holder of a row may publish its shard; the fence rejects a holder that was suspended, the
-- version a result that is late.
create table if not exists :schema.outbox_cursor (
  shard smallint primary key constraint ck_outbox_cursor_shard check (shard between 0 and 15),
  owner text,
  fence bigint not null default 0,
  lease_until timestamptz,
  version bigint not null default 0,
  done pg_snapshot not null,
  span pg_snapshot,
  position bigint not null default 0,
  span_end bigint not null default 0,
  advanced_at timestamptz not null default now()
) with (fillfactor = 20);
-- '1:1:' sees nothing.
insert into :schema.outbox_cursor (shard, done)
  select shard, '1:1:'::pg_snapshot from generate_series(0, 15) as shard on conflict do nothing;

-- Where the cursors were, every ten seconds, for events that must be published again.
create table if not exists :schema.outbox_progress (
  shard smallint not null,
  at timestamptz not null default now(),
  done pg_snapshot not null,
  span pg_snapshot,
  position bigint not null,
  constraint pk_outbox_progress primary key (shard, at)
);

-- Of one row and one position of a cursor. One plain SELECT, so that it is inlined.
create or replace function :schema.is_published(
  xid xid8, seq bigint, done pg_snapshot, span pg_snapshot, "position" bigint
) returns boolean language sql stable parallel safe as $$
  select pg_visible_in_snapshot(xid, done)
    or (span is not null and seq <= "position" and pg_visible_in_snapshot(xid, span))
$$;

-- Rows of the log that are still to be published, without reading those that are: OFFSET 0 keeps the
-- planner, which expects a third of all rows, from reading the whole log instead of an index.
create or replace view :schema.outbox_unpublished with (security_invoker = true) as
  select l.*
  from :schema.outbox_cursor c
  cross join lateral (
    select * from :schema.outbox_log o where o.shard = c.shard and o.xid >= pg_snapshot_xmax(c.done)
    union all
    select o.* from pg_snapshot_xip(c.done) as open (xid)
    cross join lateral (
      select * from :schema.outbox_log o where o.shard = c.shard and o.xid = open.xid offset 0
    ) o
    offset 0
  ) l
  where not :schema.is_published(l.xid, l.seq, c.done, c.span, c.position);

-- Every event once, with its state: for operators and tests. The time of publication of a row of
-- the log is known to ten seconds.
create or replace view :schema.outbox_event with (security_invoker = true) as
  select o.event_id, o.seq, o.tenant_id, o.subject, o.payload, o.envelope, o.occurred_at,
    o.enqueued_at, null::timestamptz as published_at, o.attempts, o.next_attempt_at, o.status,
    o.dlq, o.last_error, o.ordering_key
  from :schema.outbox o
  union all
  select p.event_id, p.seq, p.tenant_id, p.subject, p.payload, p.envelope, p.occurred_at,
    p.enqueued_at, p.published_at, p.attempts, p.next_attempt_at, 'published', p.dlq,
    p.last_error, p.ordering_key
  from :schema.outbox_published p
  union all
  select l.event_id, l.seq, l.tenant_id, l.subject, l.payload,
    case when t.published_at is null then l.envelope
      else l.envelope || jsonb_build_object('publishedAt',
        to_char(t.published_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end,
    l.occurred_at, l.enqueued_at, t.published_at, 0, l.enqueued_at,
    case when t.published_at is null then 'pending' else 'published' end, false, null,
    l.ordering_key
  from :schema.outbox_log l
  join :schema.outbox_cursor c on c.shard = l.shard
  cross join lateral (
    select case when :schema.is_published(l.xid, l.seq, c.done, c.span, c.position)
      then date_trunc('milliseconds', coalesce(
        (select g.at from :schema.outbox_progress g
         where g.shard = l.shard and g.at >= l.enqueued_at
           and :schema.is_published(l.xid, l.seq, g.done, g.span, g.position)
         order by g.at limit 1),
        c.advanced_at)) end as published_at
  ) t
  where not exists (select from :schema.outbox o where o.event_id = l.event_id)
    and not exists (select from :schema.outbox_published p where p.event_id = l.event_id);

-- The smallest id of an event at a time: 'evt_' and a ULID, which begins with the milliseconds as ten
-- digits of five bits.
create or replace function :schema.outbox_id_floor(moment timestamptz) returns text
  language sql immutable parallel safe as $$
  select 'evt_' || string_agg(
    substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      (((extract(epoch from moment) * 1000)::bigint >> (45 - 5 * digit)) & 31)::int + 1, 1),
    '' order by digit)
  from generate_series(0, 9) as digit
$$;

-- Divides the log by day. Makes the next missing partition from tomorrow until `days_ahead`, and
-- drops those whose events were all published more than `retention_days` ago, or with null those that
-- are empty. A partition is attached, not created as one, which would block all inserts. Attaching
-- reads the default partition under a lock, therefore only one at a time and not if it is large.
-- Dropping one blocks all inserts, and is tried again later rather than waited for.
create or replace function :schema.keep_outbox_partitions(days_ahead int, retention_days int)
  returns table (made int, dropped int)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  day date;
  part text;
  is_needed boolean;
begin
  made := 0;
  dropped := 0;
  perform pg_advisory_xact_lock(hashtextextended(':schema.outbox_log', 0));
  for day in select today + step from generate_series(1, days_ahead) as step loop
    exit when pg_relation_size(':schema.outbox_log_default') > 1 << 30;
    part := 'outbox_log_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(':schema.' || part) is not null;
    execute format('create table :schema.%I (like :schema.outbox_log including all)', part);
    execute format(
      'alter table :schema.outbox_log attach partition :schema.%I for values from (%L) to (%L)',
      part, :schema.outbox_id_floor(day::timestamp at time zone 'UTC'),
      :schema.outbox_id_floor((day + 1)::timestamp at time zone 'UTC'));
    made := 1;
    exit;
  end loop;
  for part, day in
    select c.relname, to_date(right(c.relname, 8), 'YYYYMMDD')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ':schema.outbox_log'::regclass and c.relname ~ '^outbox_log_[0-9]{8}$'
    order by 1
  loop
    continue when day + 2 > today;
    is_needed := true;
    if retention_days is null then
      execute format('select exists (select from :schema.%I)', part) into is_needed;
    elsif day + 1 + retention_days <= today then
      execute format(
        'select exists (
           select from generate_series(0, 15) as s (shard)
           left join lateral (
             select p.* from :schema.outbox_progress p
             where p.shard = s.shard and p.at <= now() - make_interval(days => $1)
             order by p.at desc limit 1
           ) g on true
           cross join lateral (
             select l.xid, l.seq from :schema.%1$I l
             where l.shard = s.shard and l.xid >= coalesce(pg_snapshot_xmax(g.done), ''0'')
             union all
             select l.xid, l.seq from pg_snapshot_xip(g.done) as open (xid)
             cross join lateral (
               select * from :schema.%1$I l where l.shard = s.shard and l.xid = open.xid offset 0
             ) l
             offset 0
           ) l
           where :schema.is_published(l.xid, l.seq, g.done, g.span, g.position) is not true)', part)
        into is_needed using retention_days;
    end if;
    continue when is_needed;
    begin
      execute format('drop table :schema.%I', part);
      dropped := dropped + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  return next;
end
$$;

-- Makes one missing index for lookups in a day that has ended (D28); 0 when there is none to make.
create or replace function :schema.index_outbox_day() returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $$
declare
  part text;
  indexed text;
begin
  select c.relname, k.name into part, indexed
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  cross join unnest(array['subject', 'tenant_id']) as k (name)
  where i.inhparent = ':schema.outbox_log'::regclass and c.relname ~ '^outbox_log_[0-9]{8}$'
    and to_date(right(c.relname, 8), 'YYYYMMDD') + 2 <= (now() at time zone 'UTC')::date
    and to_regclass(format(':schema.%I', 'ix_' || c.relname || '_' || k.name)) is null
  order by 1, 2 limit 1;
  if part is null then
    return 0;
  end if;
  execute format('create index if not exists %I on :schema.%I (%I)',
    'ix_' || part || '_' || indexed, part, indexed);
  return 1;
end
$$;
revoke all on function :schema.index_outbox_day() from public;
revoke all on function :schema.keep_outbox_partitions(int, int) from public;

-- Transactions of another cluster mean nothing here. After a dump was restored into a younger one,
-- the cursors are ahead of all its transactions, and its events would count as published. Unpublished
-- rows, and those written since, go to outbox; the rest of the log becomes old in any cluster (3 is
-- the first transaction there is). Returns 0 when there is nothing to repair.
create or replace function :schema.repair_outbox_cursors() returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  next_xid xid8;
begin
  lock table :schema.outbox_log in share mode;
  perform from :schema.outbox_cursor order by shard for update;
  next_xid := pg_snapshot_xmax(pg_current_snapshot());
  if not exists (select from :schema.outbox_cursor where pg_snapshot_xmax(done) > next_xid) then
    return 0;
  end if;
  insert into :schema.outbox (seq, event_id, tenant_id, subject, payload, envelope, occurred_at,
    enqueued_at, ordering_key)
  overriding system value
  select l.seq, l.event_id, l.tenant_id, l.subject, l.payload, l.envelope, l.occurred_at,
    l.enqueued_at, l.ordering_key
  from :schema.outbox_log l join :schema.outbox_cursor c on c.shard = l.shard
  where not :schema.is_published(l.xid, l.seq, c.done, c.span, c.position)
    or (l.xid < next_xid and l.enqueued_at >= c.advanced_at - interval '1 minute')
  on conflict do nothing;
  update :schema.outbox_log set xid = '3';
  update :schema.outbox_cursor
  set done = pg_current_snapshot(), span = null, version = version + 1, advanced_at = now();
  delete from :schema.outbox_progress;
  return 1;
end
$$;
revoke all on function :schema.repair_outbox_cursors() from public;

update :schema.outbox_lease
set owner = 'replaced by outbox_cursor', fence = fence + 1, lease_until = 'infinity'
where lease_until is distinct from 'infinity';

grant usage on sequence :schema.outbox_seq_seq to :app;
grant usage, select on sequence :schema.outbox_seq_seq to :relay;
grant insert on :schema.outbox_log to :app;
grant select, insert, delete on :schema.outbox_log to :relay;
-- Its rows are pruned one by one.
grant select, delete on :schema.outbox_log_default to :relay;
grant select, insert, update, delete on :schema.outbox_cursor, :schema.outbox_progress to :relay;
grant select on :schema.outbox_unpublished, :schema.outbox_event to :relay;
grant execute on function :schema.is_published(xid8, bigint, pg_snapshot, pg_snapshot, bigint),
  :schema.outbox_id_floor(timestamptz), :schema.keep_outbox_partitions(int, int),
  :schema.index_outbox_day(), :schema.repair_outbox_cursors()
  to :relay;
