-- Pricing. Rates are read across tenants: previews compare hotels. Quotes and promotions concern
-- guests and money and have row-level security.

-- Immutable and identified by the SHA-256 of its content; thousands of hotels share a few.
create table if not exists :schema.pricing_rule_set (
  rule_set_id text primary key,
  rules jsonb not null
);

-- One row, incremented by every transaction that changes a rate. Its lock makes revisions commit in
-- order, so that a reader of one revision has read all earlier ones.
create table if not exists :schema.pricing_revision (
  singleton boolean primary key default true constraint ck_pricing_revision_one check (singleton),
  revision bigint not null
);
insert into :schema.pricing_revision (revision) values (0) on conflict do nothing;

create table if not exists :schema.pricing_property (
  property_id uuid primary key,
  tenant_id uuid not null,
  currency text not null,
  time_zone text not null,
  rule_set_id text not null references :schema.pricing_rule_set,
  rooms jsonb not null,
  revision bigint not null
);
create index if not exists ix_pricing_property_revision on :schema.pricing_property (revision);

create table if not exists :schema.pricing_rate_plan (
  rate_plan_id uuid primary key,
  tenant_id uuid not null,
  property_id uuid not null references :schema.pricing_property,
  code text not null,
  name jsonb not null,
  category text not null constraint ck_pricing_rate_plan_category
    check (category in ('bar', 'non-refundable', 'weekly', 'corporate', 'government')),
  status text not null constraint ck_pricing_rate_plan_status
    check (status in ('draft', 'published', 'archived')),
  version int not null default 1,
  terms jsonb not null,
  published_at timestamptz,
  constraint ux_pricing_rate_plan_code unique (property_id, code)
);

create table if not exists :schema.pricing_rate (
  rate_plan_id uuid not null references :schema.pricing_rate_plan,
  room_type_id uuid not null,
  nightly_micro bigint not null constraint ck_pricing_rate_positive check (nightly_micro > 0),
  primary key (rate_plan_id, room_type_id)
);

create table if not exists :schema.pricing_fx_snapshot (
  fx_snapshot_id uuid primary key,
  base text not null,
  rates jsonb not null,
  source text not null,
  taken_at timestamptz not null,
  stale_after timestamptz not null,
  hard_expire_at timestamptz not null,
  constraint ux_pricing_fx_snapshot_taken unique (taken_at)
);

create table if not exists :schema.pricing_promotion (
  tenant_id uuid not null,
  code text not null,
  basis_points int,
  amount_micro bigint,
  currency text,
  min_nights int not null default 1,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  redemptions_max int not null,
  primary key (tenant_id, code),
  constraint ck_pricing_promotion_discount check (
    (basis_points is null) <> (amount_micro is null)
    and (amount_micro is null) = (currency is null)
    and coalesce(basis_points between 1 and 10000, true)
    and coalesce(amount_micro > 0, true))
);

create table if not exists :schema.pricing_quote (
  tenant_id uuid not null,
  quote_id uuid not null,
  property_id uuid not null,
  digest text not null,
  total_micro bigint not null,
  currency text not null,
  scenario text,
  body jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, quote_id)
);
create index if not exists ix_pricing_quote_expires on :schema.pricing_quote (expires_at);

-- A quote reserves one use of its promotion until `lapses_at`, or permanently once it is booked.
create table if not exists :schema.pricing_quote_redemption (
  tenant_id uuid not null,
  quote_id uuid not null,
  code text not null,
  lapses_at timestamptz,
  primary key (tenant_id, quote_id)
);
create index if not exists ix_pricing_quote_redemption_code
  on :schema.pricing_quote_redemption (tenant_id, code, lapses_at);

alter table :schema.pricing_promotion enable row level security;
alter table :schema.pricing_promotion force row level security;
alter table :schema.pricing_quote enable row level security;
alter table :schema.pricing_quote force row level security;
alter table :schema.pricing_quote_redemption enable row level security;
alter table :schema.pricing_quote_redemption force row level security;

drop policy if exists pricing_promotion_tenant_isolation on :schema.pricing_promotion;
create policy pricing_promotion_tenant_isolation on :schema.pricing_promotion to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists pricing_promotion_relay on :schema.pricing_promotion;
create policy pricing_promotion_relay on :schema.pricing_promotion to :relay
  using (true) with check (true);

drop policy if exists pricing_quote_tenant_isolation on :schema.pricing_quote;
create policy pricing_quote_tenant_isolation on :schema.pricing_quote to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists pricing_quote_relay on :schema.pricing_quote;
create policy pricing_quote_relay on :schema.pricing_quote to :relay
  using (true) with check (true);

drop policy if exists pricing_quote_redemption_tenant_isolation
  on :schema.pricing_quote_redemption;
create policy pricing_quote_redemption_tenant_isolation on :schema.pricing_quote_redemption to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists pricing_quote_redemption_relay on :schema.pricing_quote_redemption;
create policy pricing_quote_redemption_relay on :schema.pricing_quote_redemption to :relay
  using (true) with check (true);

grant select on :schema.pricing_rule_set, :schema.pricing_fx_snapshot to :app;
grant select, update on :schema.pricing_revision, :schema.pricing_property,
  :schema.pricing_rate_plan, :schema.pricing_rate, :schema.pricing_promotion to :app;
grant select, insert on :schema.pricing_quote to :app;
grant select, insert, update on :schema.pricing_quote_redemption to :app;
grant select, insert, update, delete on :schema.pricing_rule_set, :schema.pricing_revision,
  :schema.pricing_property, :schema.pricing_rate_plan, :schema.pricing_rate,
  :schema.pricing_fx_snapshot, :schema.pricing_promotion, :schema.pricing_quote,
  :schema.pricing_quote_redemption to :relay;
