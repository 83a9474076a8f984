-- The staff of a tenant: names, roles and properties. Credentials belong to the iam module.
create table if not exists :schema.tenant_operator (
  tenant_id uuid not null references :schema.tenant_account,
  operator_id uuid not null,
  display_name text not null,
  roles text[] not null constraint ck_tenant_operator_roles check (cardinality(roles) > 0),
  is_lead boolean not null default false,
  -- Null: all properties of the tenant, also future ones.
  property_ids uuid[],
  status text not null default 'active'
    constraint ck_tenant_operator_status check (status in ('active', 'disabled')),
  charge_limit_micro bigint,
  charge_limit_currency text,
  locale text not null,
  version int not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint pk_tenant_operator primary key (tenant_id, operator_id)
);

-- Every version is a row: the primary key rejects a change that is based on an older version.
create table if not exists :schema.tenant_operator_preferences (
  tenant_id uuid not null,
  operator_id uuid not null,
  property_id uuid not null,
  version int not null constraint ck_tenant_operator_preferences_version check (version > 0),
  payload jsonb not null,
  changed_by uuid not null,
  causation_id text,
  at timestamptz not null default clock_timestamp(),
  constraint pk_tenant_operator_preferences
    primary key (tenant_id, operator_id, property_id, version),
  foreign key (tenant_id, operator_id) references :schema.tenant_operator
);

:isolate_by_tenant(tenant_operator);
:isolate_by_tenant(tenant_operator_preferences);
drop policy if exists tenant_operator_relay on :schema.tenant_operator;
create policy tenant_operator_relay on :schema.tenant_operator to :relay
  using (true) with check (true);

grant select, insert, update on :schema.tenant_operator to :app;
grant select, insert on :schema.tenant_operator_preferences to :app;
grant select, insert on :schema.tenant_operator to :relay;
