-- The faults that are set in the control room, for all processes of the sandbox. Without tenants:
-- a fault affects all callers of an upstream.
create table if not exists :schema.scenario_setting (
  name text constraint pk_scenario_setting primary key
    constraint ck_scenario_setting_name check (length(name) between 1 and 120),
  value jsonb not null,
  changed_at timestamptz not null default now()
);

-- One row. Processes poll it several times a second for changes.
create table if not exists :schema.scenario_version (
  only_row boolean constraint pk_scenario_version primary key default true
    constraint ck_scenario_version_only check (only_row),
  version bigint not null
);

insert into :schema.scenario_version (version) values (0) on conflict do nothing;

grant select, insert, update, delete on :schema.scenario_setting to :app, :relay;
grant select, update on :schema.scenario_version to :app, :relay;
