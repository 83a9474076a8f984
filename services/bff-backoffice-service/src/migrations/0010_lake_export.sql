-- Which days of which table are in the audit lake, and how a day leaves Postgres. Service-scoped: a
-- day has the rows of all tenants. Re-runnable.
create table if not exists :schema.lake_export (
  table_name text not null,
  day date not null,
  state text not null
    constraint ck_lake_export_state check (state in ('writing', 'verified', 'pruned')),
  -- Fences an exporter that was suspended while another one took over.
  attempt int not null default 1,
  columns text[],
  row_count bigint,
  min_id text,
  max_id text,
  hash_sum numeric,
  sha256 text,
  started_at timestamptz not null default now(),
  verified_at timestamptz,
  pruned_at timestamptz,
  constraint pk_lake_export primary key (table_name, day),
  constraint ck_lake_export_verified
    check (state = 'writing' or (row_count is not null and hash_sum is not null))
);
grant select, insert, update on :schema.lake_export to :relay;

-- The following belong to the owner of the ledger, because only the owner may detach or drop a
-- partition. None of them removes a row that is not recorded as verified.
create or replace function :schema.detach_activity_partition(wanted date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part constant text := 'operator_activity_' || to_char(wanted, 'YYYYMMDD');
begin
  if to_regclass(':schema.' || part) is null then
    return false;
  end if;
  if exists (select from pg_inherits where inhrelid = to_regclass(':schema.' || part)) then
    if not exists (select from :schema.lake_export
        where table_name = 'operator_activity' and day = wanted and state = 'verified') then
      raise exception 'the day is not verified' using errcode = '55000';
    end if;
    execute format('alter table :schema.operator_activity detach partition :schema.%I', part);
  end if;
  return true;
end
$$;

-- False when the detached rows are not those that were verified: then nothing is dropped.
create or replace function :schema.drop_detached_activity(wanted date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part constant text := 'operator_activity_' || to_char(wanted, 'YYYYMMDD');
  is_equal boolean;
begin
  if exists (select from pg_inherits where inhrelid = to_regclass(':schema.' || part)) then
    raise exception 'the partition is attached' using errcode = '55000';
  end if;
  -- Forced row security hides all rows from the owner too; nobody else has access to the table.
  execute format('alter table :schema.%I no force row level security', part);
  execute format(
    'select coalesce((select row_count = (select count(*) from :schema.%1$I)
         and min_id is not distinct from (select id::text from :schema.%1$I order by id limit 1)
         and max_id is not distinct from
           (select id::text from :schema.%1$I order by id desc limit 1)
       from :schema.lake_export
       where table_name = ''operator_activity'' and day = $1 and state = ''verified''), false)',
    part) into is_equal using wanted;
  if is_equal then
    execute format('drop table :schema.%I', part);
  else
    execute format('alter table :schema.%I force row level security', part);
  end if;
  return is_equal;
end
$$;

create or replace function :schema.attach_activity_partition(wanted date) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format(
    'alter table :schema.operator_activity attach partition :schema.%I for values from (%L) to (%L)',
    'operator_activity_' || to_char(wanted, 'YYYYMMDD'),
    :schema.activity_id_floor(wanted), :schema.activity_id_floor(wanted + 1));
end
$$;
revoke all on function :schema.detach_activity_partition(date),
  :schema.drop_detached_activity(date), :schema.attach_activity_partition(date) from public;
grant execute on function :schema.detach_activity_partition(date),
  :schema.drop_detached_activity(date), :schema.attach_activity_partition(date) to :relay;
