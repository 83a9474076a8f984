-- Themes of the booking sites. Read across tenants by design: a page of search results shows the
-- brands of many tenants.
create table if not exists :schema.theme_theme (
  tenant_id uuid primary key,
  theme_id uuid not null constraint ux_theme_theme_id unique,
  last_version int not null constraint ck_theme_theme_version check (last_version > 0)
);

create table if not exists :schema.theme_version (
  tenant_id uuid not null references :schema.theme_theme,
  version int not null,
  theme_id uuid not null,
  status text not null default 'draft'
    constraint ck_theme_version_status check (status in ('draft', 'published', 'archived')),
  brand_name jsonb not null,
  tagline jsonb,
  layout_preset text not null,
  tokens jsonb not null,
  flow jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (tenant_id, version)
);

-- Guests see one version. The second of two concurrent publications waits, fails and is retried.
create unique index if not exists ux_theme_version_published on :schema.theme_version (tenant_id)
  where status = 'published';

grant select, insert, update on :schema.theme_theme to :app;
grant select, insert on :schema.theme_version to :app;
-- No other column of a version ever changes.
grant update (status, published_at) on :schema.theme_version to :app;
grant select, insert on :schema.theme_theme, :schema.theme_version to :relay;
