-- outbox, inbox, idempotency and schema_migrations have one shape in all services (D20, D28) and are
-- created by the shared migrations, which run before this one. Nothing else is needed; this file
-- fails if one of the tables is missing. Re-runnable.
do $$
declare missing text;
begin
  select string_agg(name, ', ') into missing
  from unnest(array['outbox', 'inbox', 'idempotency', 'schema_migrations']) as name
  where to_regclass(':schema.' || name) is null;
  if missing is not null then
    raise exception 'shared tables are missing: %', missing;
  end if;
end
$$;
