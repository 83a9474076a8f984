-- The hotels of the platform. Read across tenants by design: a slug or domain is resolved before
-- the tenant is known.
create table if not exists :schema.tenant_account (
  tenant_id uuid primary key,
  slug text collate "C" not null constraint ux_tenant_account_slug unique,
  legal_name text not null,
  display_name jsonb not null,
  status text not null default 'active'
    constraint ck_tenant_account_status check (status in ('active', 'suspended', 'closed')),
  country text not null,
  region text not null,
  config_version int not null default 1 constraint ck_tenant_account_version check (config_version > 0),
  config jsonb not null,
  -- The text searched by `q`, in lower case.
  search_text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A domain belongs to at most one tenant.
create table if not exists :schema.tenant_domain (
  domain text collate "C" primary key,
  tenant_id uuid not null references :schema.tenant_account,
  added_at timestamptz not null default now()
);
create index if not exists ix_tenant_domain_tenant on :schema.tenant_domain (tenant_id, added_at);

grant select, insert, update on :schema.tenant_account to :app;
grant select, insert on :schema.tenant_domain to :app;
grant select, insert on :schema.tenant_account, :schema.tenant_domain to :relay;
