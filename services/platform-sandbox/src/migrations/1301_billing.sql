-- Folios: the account of a stay. Amounts are sums of charges and payments, never stored twice.

create table if not exists :schema.billing_folio (
  tenant_id uuid not null,
  -- The bits of its reservation's id: a reservation has one folio.
  folio_id uuid not null,
  property_id uuid not null,
  status text not null constraint ck_billing_folio_status
    check (status in ('pending', 'open', 'balance_due', 'settled', 'closed')),
  currency text not null,
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  opened_at timestamptz,
  closed_at timestamptz,
  primary key (tenant_id, folio_id)
);
create index if not exists ix_billing_folio_property
  on :schema.billing_folio (tenant_id, property_id, status, folio_id);

create table if not exists :schema.billing_charge (
  tenant_id uuid not null,
  folio_id uuid not null,
  charge_id uuid not null,
  amount_micro bigint not null constraint ck_billing_charge_amount check (amount_micro > 0),
  category text not null,
  description text not null,
  posted_at timestamptz not null default clock_timestamp(),
  voided_at timestamptz,
  operator_id uuid,
  causation_id text,
  primary key (tenant_id, folio_id, charge_id)
);
-- A cause posts one charge, also after its idempotency key has expired.
create unique index if not exists ux_billing_charge_causation
  on :schema.billing_charge (tenant_id, folio_id, causation_id) where causation_id is not null;

-- A payment may be captured before its reservation is confirmed, and so before its folio exists.
-- A refund is a payment with a negative amount.
create table if not exists :schema.billing_payment (
  tenant_id uuid not null,
  folio_id uuid not null,
  sequence int not null,
  amount_micro bigint not null constraint ck_billing_payment_amount check (amount_micro <> 0),
  currency text not null,
  method text not null,
  payment_intent_id uuid,
  recorded_at timestamptz not null default clock_timestamp(),
  operator_id uuid,
  causation_id text,
  primary key (tenant_id, folio_id, sequence)
);

create table if not exists :schema.billing_folio_history (
  tenant_id uuid not null,
  folio_id uuid not null,
  version int not null,
  status text not null,
  at timestamptz not null default clock_timestamp(),
  operator_id uuid,
  causation_id text,
  primary key (tenant_id, folio_id, version),
  foreign key (tenant_id, folio_id) references :schema.billing_folio on delete cascade
);

:isolate_by_tenant(billing_folio);
:isolate_by_tenant(billing_charge);
:isolate_by_tenant(billing_payment);
:isolate_by_tenant(billing_folio_history);

do $$
declare
  name text;
begin
  foreach name in array array['billing_folio', 'billing_charge', 'billing_payment',
    'billing_folio_history']
  loop
    execute format('drop policy if exists %I on :schema.%I', name || '_relay', name);
    execute format('create policy %I on :schema.%I to :relay using (true) with check (true)',
      name || '_relay', name);
  end loop;
end
$$;

grant select, insert, update on :schema.billing_folio, :schema.billing_charge to :app, :relay;
grant select, insert on :schema.billing_payment, :schema.billing_folio_history to :app, :relay;
